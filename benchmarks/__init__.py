"""How fast the product's parts are, measured by hand (`make bench`); what must hold is a test, not a benchmark."""
