"""A function as a tool: its schema is what the model pays for, so it is short, and strict."""

from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from onec_rag_client.language import text

READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


def declare(function: Callable[..., CallToolResult], description: str) -> Tool:
    """The tool of that function's name; each argument's description stands in its annotation.

    An argument that the tool does not have is refused: a misspelt filter must not be ignored. A number where text is
    wanted is taken as text, since a release may be called 2.
    """
    tool = _Tool.from_function(function, description=description, annotations=READ_ONLY, structured_output=False)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config |= {"extra": "forbid", "coerce_numbers_to_str": True}
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(schema_generator=_ShortSchema)
    del tool.parameters["title"]
    return tool


class _Tool(Tool):
    """Says in a few words what the SDK wraps into many: which argument is wrong, or what the function itself said."""

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        try:
            return await super().run(arguments, context, convert_result)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            match error.__cause__:
                case ValidationError() as cause:
                    rows = (f"{'.'.join(map(str, row['loc']))}: {row['msg']}" for row in cause.errors())
                    raise ToolError(text("mcp.error.invalid", detail="; ".join(rows))) from cause
                case ToolError() as cause:
                    raise cause from None
            raise


class _ShortSchema(GenerateJsonSchema):
    """Leaves out what tells a model nothing: titles, and that an argument may be null, which is taken all the same."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def nullable_schema(self, schema: Any) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> JsonSchemaValue:
        found = super().default_schema(schema)
        return {name: value for name, value in found.items() if (name, value) != ("default", None)}
