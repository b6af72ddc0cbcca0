"""HIPE 2020 and 2022: entities (coarse, fine, nested) and entity links in historical documents."""
