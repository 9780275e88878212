"""The stack on one machine: servers, queues and workers under the product's own handlers; no product logic here."""
