"""What several formats share: reading JSON, XML and token tables, offsets in any unit, and building documents."""
