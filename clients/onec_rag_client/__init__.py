"""The client: a typed HTTP client and the faces over it; what needs the product's code does not belong."""
