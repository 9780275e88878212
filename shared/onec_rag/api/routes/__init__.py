"""One module a noun of the API; a route checks the caller, calls one function and shapes its result."""
