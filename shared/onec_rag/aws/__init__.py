"""Everything that speaks to AWS, and the only importer of boto3; takes plain arguments, returns plain values."""
