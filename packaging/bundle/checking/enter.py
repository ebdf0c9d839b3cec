"""Runs a program inside a bare system tree; `bare_tree.py` starts this under `unshare` with namespaces of its own.

usage: python3 enter.py TREE [--bind FROM TO] ... [--read-only TO] ... [--tmpfs TO SIZE] ...
                        [--env NAME=VALUE] ... [--cwd FOLDER] [--user] -- COMMAND ...

All mounts are of the namespace, so they end with it, however it ends. There is no network but the loopback. This
process is the first of the namespace: it waits for the program, and every process left over ends with it.
"""

import argparse
import contextlib
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

USER = 1000
"""The id of the unprivileged user and its group."""
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1


def mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def raise_loopback() -> None:
    """Bring up the loopback of a new network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        answer = fcntl.ioctl(any_socket, _SIOCGIFFLAGS, struct.pack("16sh14x", b"lo", 0))
        _, flags = struct.unpack("16sh14x", answer)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))


def mount_all(tree: Path, binds: list[list[str]], read_only: list[str], tmpfs: list[list[str]]) -> None:
    """Mount what every system has, then what was asked for, in this order; each place is created."""
    mount("--make-rprivate", "/")
    mount("-t", "proc", "proc", str(tree / "proc"))
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", str(tree / "dev"))
    for device in ("null", "zero", "full", "random", "urandom"):
        (tree / "dev" / device).touch()
        mount("--bind", f"/dev/{device}", str(tree / "dev" / device))
    for name in ("dev/shm", "tmp", "run"):
        (tree / name).mkdir(exist_ok=True)
        mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", str(tree / name))
    for source, target in binds:
        place = tree / target.lstrip("/")
        if Path(source).is_dir():
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
        mount("--bind", source, str(place))
    for target, size in tmpfs:
        (tree / target.lstrip("/")).mkdir(parents=True, exist_ok=True)
        mount("-t", "tmpfs", "-o", f"mode=1777,size={size}", "tmpfs", str(tree / target.lstrip("/")))
    for target in read_only:
        mount("-o", "remount,bind,ro", str(tree / target.lstrip("/")))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tree", type=Path)
    parser.add_argument("--bind", nargs=2, action="append", default=[])
    parser.add_argument("--read-only", action="append", default=[])
    parser.add_argument("--tmpfs", nargs=2, action="append", default=[])
    parser.add_argument("--user", action="store_true")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--cwd", default="/")
    split = sys.argv.index("--")
    asked, command = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1 :]
    raise_loopback()
    mount_all(asked.tree, asked.bind, asked.read_only, asked.tmpfs)
    # Ids of processes differ from one start to the next, as on a real system: locks hold the id of their owner.
    (asked.tree / "proc/sys/kernel/ns_last_pid").write_text(str(1000 + time.time_ns() // 10_000_000 % 20_000))
    child = os.fork()
    if child == 0:
        os.chroot(asked.tree)
        os.chdir(asked.cwd)
        if asked.user:
            os.setgroups([])
            os.setgid(USER)
            os.setuid(USER)
        try:
            os.execvpe(command[0], command, dict(pair.split("=", 1) for pair in asked.env))
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", file=sys.stderr)
            os._exit(127)
    for number in (signal.SIGTERM, signal.SIGINT):  # both end the program; this one waits for it
        signal.signal(number, lambda got, _: os.kill(child, got))
    while True:
        with contextlib.suppress(InterruptedError):
            pid, status = os.wait()
            if pid == child:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
