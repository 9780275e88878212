"""A program that becomes another one, after asking the kernel to end it when the parent dies.

It is run by its path (`python -I -S child.py --parent PID … -- COMMAND`), so it needs nothing but the standard library
and neither PYTHONPATH nor the readability of our packages for the other user. Where there is no `prctl` (macOS) the
child outlives a killed parent; the next start of the stack ends what it left.
"""

import argparse
import ctypes
import os
import pwd
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def become_user(name: str) -> None:
    """Give up the rights of root for those of an account that exists."""
    account = pwd.getpwnam(name)
    os.initgroups(name, account.pw_gid)
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)


def die_with(parent: int, signal_number: int) -> None:
    """Have the kernel send `signal_number` to this process when its parent dies (prctl(2), PR_SET_PDEATHSIG)."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:  # it died before we asked
        sys.exit(1)


def main() -> None:
    """Parse the arguments and become the command; the order matters, a change of user clears the death signal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--signal", type=int, required=True)
    parser.add_argument("--user")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    command = arguments.command[1:]  # the first one is "--"
    if arguments.user:
        become_user(arguments.user)
    die_with(arguments.parent, arguments.signal)
    os.execv(command[0], command)  # noqa: S606  the command is the stack's own


if __name__ == "__main__":
    main()
