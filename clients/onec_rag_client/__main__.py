"""`python -m onec_rag_client`: the command line where `onec-rag` is not on the path."""

from onec_rag_client.cli import run

run()
