"""Parts shared by several formats: reading JSON, XML and token tables, units of offsets, and building documents."""
