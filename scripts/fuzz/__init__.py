"""Fixtures damaged at random and read (`make fuzz`), beside the properties that the tests state; nothing else."""
