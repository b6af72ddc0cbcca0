"""eHealth-KD 2021, 2020 and 2019: entities and relations in health texts, sentence by sentence."""
