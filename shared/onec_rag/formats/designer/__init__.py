"""Files of a Configurator dump, hierarchical or of an extension, → Documents; projects of EDT do not belong here."""
