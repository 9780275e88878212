"""Files of an EDT project → Documents equal to those of a Configurator dump; what both write alike `designer` reads."""
