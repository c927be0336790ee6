"""Signatures that show what this user's own program has written.

Each purpose has a key: 32 random bytes in a private file of the state folder. Signed files may be
copied and come back: what is changed or moved to another place in them no longer counts as signed.
"""

import errno
import hashlib
import hmac
import json
import os
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from hextui.locations import (
    UntrustedError,
    make_private_folder,
    new_private_file,
    open_private_file,
    state_folder,
)

_KEY_BYTES = 32
PROOFS = "proofs.key"
"""The name of the key that signs what was proved: in records, reviews, solved positions."""


class Signer:
    """Signs with the user's key of a name, such as ``run.key``; a key that is missing is made.

    Where no key can be kept, what it signs holds for this process; ``problem`` says why.
    """

    def __init__(self, name: str) -> None:
        path = state_folder() / name
        self.problem = ""
        try:
            make_private_folder(path.parent)
            self._key = _read_key(path) or _new_key(path)
        except OSError as error:
            self._key = _key_of_process()
            self.problem = f"{path}: {error.strerror or error}"

    def sign(self, *parts: Any) -> str:
        """Return the signature of values that JSON can hold, as hexadecimal digits."""
        return self.mac(json.dumps(parts, sort_keys=True).encode()).hex()

    def mac(self, data: bytes) -> bytes:
        """Return the 32 bytes that sign some bytes."""
        return hmac.digest(self._key, data, hashlib.sha256)


def _read_key(path: Path) -> bytes | None:
    """Return the key in a file, None if there is none that only the user can have made."""
    try:
        with open_private_file(path) as file:
            key = file.read()
    except (FileNotFoundError, UntrustedError):
        return None
    except OSError as error:
        if error.errno != errno.EINVAL:  # else it is no file
            raise
        return None
    return key if len(key) == _KEY_BYTES else None


def _new_key(path: Path) -> bytes:
    """Keep a new key instead of one that others may know; return what is kept."""
    # a name that `save_file` removes if this program is killed
    made = path.with_name(f".hextui-{secrets.token_hex(8)}.tmp")
    try:
        with open(made, "xb", opener=new_private_file) as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
        os.replace(made, path)
    finally:
        with suppress(OSError):
            made.unlink()
    return path.read_bytes()  # another program may have been faster


@cache
def _key_of_process() -> bytes:
    return secrets.token_bytes(_KEY_BYTES)
