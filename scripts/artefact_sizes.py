"""Prints how large each artefact of `sam build` is when unzipped, and fails where Lambda would be slow or refuse it.

Lambda's own limit is 250 MB for a function with its layers: https://docs.aws.amazon.com/lambda/latest/dg/limits.html
"""

import sys
from pathlib import Path

MEGABYTE = 1_000_000
API_LIMIT = 150 * MEGABYTE
"""Bytes of the API's function and its layers, by the design."""
LIMIT = 200 * MEGABYTE
"""Bytes of any function and its layers, with room below Lambda's limit."""


def size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def artefacts(build: Path) -> dict[str, int]:
    """Bytes of each artefact by its place in the build; a nested stack's lie in a folder of its own."""
    folders = [path for path in (*build.glob("*"), *build.glob("*/*")) if path.name.endswith(("Function", "Layer"))]
    return {path.relative_to(build).as_posix(): size(path) for path in sorted(folders)}


def main(build: Path) -> int:
    """1 where something is too large."""
    found = artefacts(build)
    for name, held in found.items():
        print(f"{held / MEGABYTE:8.1f} MB  {name}")
    for package in sorted((build / "DependenciesLayer" / "python").iterdir(), key=size, reverse=True)[:8]:
        print(f"{size(package) / MEGABYTE:8.1f} MB  DependenciesLayer: {package.name}")
    layers = sum(held for name, held in found.items() if name.endswith("Layer"))
    wholes = {name: held + layers for name, held in found.items() if name.endswith("Function")}
    large = [name for name, held in wholes.items() if held > (API_LIMIT if name.startswith("Api/") else LIMIT)]
    for name, held in wholes.items():
        print(f"{held / MEGABYTE:8.1f} MB  {name} with its layers{' - TOO LARGE' if name in large else ''}")
    return 1 if large or not wholes else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
