"""The compiled room: Numba functions on numpy arrays, nothing else lives here.

Importing this package chooses the folder of the compiled code before numba is imported. The
folder is named by a hash of all kernel sources and the numba version, because numba does not
see that a kernel in another file changed.
"""

import hashlib
import importlib.metadata
import os
import shutil
import sys
from pathlib import Path

from hextui.locations import cache_folder


def _sources_hash() -> str:
    digest = hashlib.sha256(importlib.metadata.version("numba").encode())
    digest.update(sys.version.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def compiled_folder() -> Path:
    """Return the folder that holds the compiled kernels of these sources."""
    return cache_folder() / "kernels" / _sources_hash()


def drop_old_folders() -> None:
    """Remove compiled kernels of other sources or another numba."""
    current = compiled_folder()
    if current.parent.is_dir():
        for folder in current.parent.iterdir():
            if folder != current:
                shutil.rmtree(folder, ignore_errors=True)


os.environ["NUMBA_CACHE_DIR"] = str(compiled_folder())
