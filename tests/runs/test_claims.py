"""Claims: two programs do different tasks, and a program that is killed claims nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from hextui.runs.claims import Claims

pytest.importorskip("fcntl")

HOLDER = """
import sys
from pathlib import Path
from hextui.runs.claims import Claims
claims = Claims(Path(sys.argv[1]))
for key in sys.argv[2:]:
    assert claims.claim(key.encode())
print("ready", flush=True)
sys.stdin.read()
"""


def test_what_another_program_has_claimed_is_free_once_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "claims"
    claims = Claims(path)
    words = [sys.executable, "-c", HOLDER, str(path), "a", "b"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"ready\n"
        assert [key for key in (b"a", b"b", b"c") if claims.claim(key)] == [b"c"]
        other.kill()
    claims.wait(b"a")
    assert claims.claim(b"a")
    assert not claims.claim(b"a"), "a game that is there twice"
    claims.release(b"a")
    assert claims.claim(b"a")
    claims.close()
