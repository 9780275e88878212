"""Arguments that several tools take; empty and null mean that there is no filter."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from onec_rag_client import results
from onec_rag_client.language import text

SourceNames = Annotated[list[str] | None, Field(description=text("mcp.source_names"))]
Release = Annotated[str | None, Field(description=text("mcp.release"))]
# The schemas are written out: not every agent follows the `$ref` that an enumeration becomes.
Mode = Annotated[
    results.Mode, WithJsonSchema({"type": "string", "enum": list(results.Mode), "description": text("mcp.mode")})
]
Kind = Annotated[results.Kind, WithJsonSchema({"type": "string", "enum": list(results.Kind)})]
Belonging = Annotated[
    results.Belonging | None,
    WithJsonSchema({"enum": [*results.Belonging, None], "description": text("mcp.belonging")}),
]
Kinds = Annotated[list[Kind] | None, Field(description=text("mcp.kinds"))]
