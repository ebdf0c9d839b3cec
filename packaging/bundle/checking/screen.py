"""A screen without a monitor (Xvfb): what is on it, the titles of its windows, and a hand at mouse and keyboard.

Speaks the X11 protocol itself, so that nothing but Xvfb need be installed: X Window System Protocol, X Version 11,
Release 6.8; XTEST Extension Library, version 2.2.
"""

import mmap
import os
import select
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

SIZE = 1280, 800
KEYS = {"ctrl": 37, "shift": 50, "enter": 36, "a": 38, "q": 24, "s": 39, "t": 28, "w": 25, "4": 13, "2": 11, "tab": 23}
"""Codes of keys: those of Linux's input events, plus 8."""
_KEY_DOWN, _KEY_UP, _BUTTON_DOWN, _BUTTON_UP, _MOTION = 2, 3, 4, 5, 6
_SETUP_FIXED = 40
"""The bytes of the server's description before the vendor's name."""


class Screen:
    """An Xvfb of 1280x800 and a connection to it; a context manager."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="attnviz-screen-"))
        reader, writer = os.pipe()
        size = f"{SIZE[0]}x{SIZE[1]}x24"
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", size, "-fbdir", str(self._folder)]
        command += ["-nolisten", "tcp", "-noreset", "-ac"]
        null = subprocess.DEVNULL
        self._process = subprocess.Popen(command, pass_fds=[writer], stdout=null, stderr=null)
        os.close(writer)
        with os.fdopen(reader) as numbers:
            ready, _, _ = select.select([numbers], [], [], 20)
            number = numbers.readline().strip() if ready else ""
        if not number:
            self.close()
            raise OSError("Xvfb does not start")
        self.display = f":{number}"
        self.socket = Path(f"/tmp/.X11-unix/X{number}")
        file = self._folder / "Xvfb_screen0"
        with file.open("rb") as raw:
            self._memory = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
        header = struct.unpack(">25I", self._memory[:100])
        self._pixels_at, self._line = header[0] + 12 * header[19], header[12]
        self._connection = _Connection(self.socket)

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def pixels(self) -> bytes:
        """Return what is on it: rows of (blue, green, red, unused)."""
        return self._memory[self._pixels_at : self._pixels_at + self._line * SIZE[1]]

    def lit(self) -> float:
        """Return the share of pixels, out of a sample, that are not black as the bare screen is."""
        sample = self._memory[self._pixels_at : self._pixels_at + self._line * SIZE[1] : 4 * 997]
        return 1 - sample.count(0) / len(sample)

    def save(self, path: Path) -> None:
        """Write what is on it as a PNG."""
        raw, width = self.pixels(), SIZE[0]
        rows = (raw[line * self._line : line * self._line + 4 * width] for line in range(SIZE[1]))
        packed = b"".join(b"\0" + _as_rgb(row) for row in rows)
        header = struct.pack(">IIBBBBB", *SIZE, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(packed, 3)), (b"IEND", b""))
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, chunks)))

    def titles(self) -> list[str]:
        """Return the titles of the windows on it."""
        return self._connection.titles()

    def wait_until(self, holds: Callable[[], bool], timeout: float) -> bool:
        """Wait until something holds; return whether it came within a time in seconds."""
        until = time.monotonic() + timeout
        while not (met := holds()) and time.monotonic() < until:
            time.sleep(0.05)
        return met

    def wait_for_rest(self, timeout: float = 60, quiet: float = 1.5) -> bool:
        """Wait until the screen has not changed for some seconds; return whether it came to rest."""
        until, before, since = time.monotonic() + timeout, b"", time.monotonic()
        while time.monotonic() < until:
            now = self.pixels()
            if now != before:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > quiet:
                return True
            time.sleep(0.1)
        return False

    def click(self, x: int, y: int, times: int = 1) -> None:
        """Click with the left button."""
        self._connection.fake(_MOTION, 0, x, y)
        for _ in range(times):
            self._connection.fake(_BUTTON_DOWN, 1)
            self._connection.fake(_BUTTON_UP, 1)
        time.sleep(0.3)

    def press(self, keys: str) -> None:
        """Press a key, or several together, such as ``ctrl+a``."""
        codes = [KEYS[key] for key in keys.split("+")]
        for code in codes:
            self._connection.fake(_KEY_DOWN, code)
        for code in reversed(codes):
            self._connection.fake(_KEY_UP, code)
        time.sleep(0.2)


def _as_rgb(row: bytes) -> bytes:
    rgb = bytearray(len(row) // 4 * 3)
    rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
    return bytes(rgb)


def _chunk(chunk: tuple[bytes, bytes]) -> bytes:
    body = b"".join(chunk)
    return struct.pack(">I", len(chunk[1])) + body + struct.pack(">I", zlib.crc32(body))


class _Connection:
    """A connection to an X server, with the few requests that are needed here."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(20)
        self._socket.connect(str(path))
        self._socket.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        accepted, length = struct.unpack("<BxxxxxH", self._read(8))
        body = self._read(4 * length)
        if accepted != 1:
            raise OSError("Xvfb refuses the connection")
        (vendor,), formats = struct.unpack_from("<H", body, 16), body[21]
        (self._root,) = struct.unpack_from("<I", body, 32 + (vendor + 3) // 4 * 4 + 8 * formats)
        name = b"XTEST"
        answer = self._ask(struct.pack("<BxHHxx8s", 98, 4, len(name), name))
        self._xtest = answer[9]
        self._name, self._utf8 = self._atom(b"_NET_WM_NAME"), self._atom(b"UTF8_STRING")

    def titles(self) -> list[str]:
        """Return the titles of the top windows."""
        tree = self._ask(struct.pack("<BxHI", 15, 2, self._root))
        (count,) = struct.unpack_from("<H", tree, 16)
        found = []
        for window in struct.unpack_from(f"<{count}I", tree, 32):
            asked = struct.pack("<BBHIIIII", 20, 0, 6, window, self._name, self._utf8, 0, 256)
            answer = self._ask(asked)
            (length,) = struct.unpack_from("<I", answer, 16) if answer[0] == 1 else (0,)
            found.append(answer[32 : 32 + length].decode(errors="replace"))
        return [title for title in found if title]

    def fake(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        """Have an event of mouse or keyboard happen."""
        root = self._root if kind == _MOTION else 0
        request = struct.pack("<BBHBBxxII8xhh7xB", self._xtest, 2, 9, kind, detail, 0, root, x, y, 0)
        self._socket.sendall(request)
        self._ask(struct.pack("<BxH", 43, 1))  # an answer means that the request before has been handled

    def _atom(self, name: bytes) -> int:
        padded = name + bytes(-len(name) % 4)
        answer = self._ask(struct.pack("<BxHHxx", 16, 2 + len(padded) // 4, len(name)) + padded)
        return int(struct.unpack_from("<I", answer, 8)[0])

    def _ask(self, request: bytes) -> bytes:
        """Send a request; return its reply, or the error. Events in between are dropped."""
        self._socket.sendall(request)
        while True:
            answer = self._read(32)
            if answer[0] == 1:
                return answer + self._read(4 * struct.unpack_from("<I", answer, 4)[0])
            if answer[0] == 0:
                return answer

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            part = self._socket.recv(size)
            if not part:
                raise OSError("Xvfb has ended")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
