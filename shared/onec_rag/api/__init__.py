"""The HTTP face: routes, schemas, keys and the table of errors; what an answer says is made in the rooms below."""
