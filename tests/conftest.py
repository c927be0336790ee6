"""Every test runs with a home of its own, but shares one folder of compiled kernels."""

import os
import tempfile

import pytest
from hypothesis import settings

from tests.compiling import compile_kernels

# No deadline, because machines differ; derandomised, so that a red run can be repeated.
settings.register_profile("hextui", deadline=None, derandomize=True)
settings.load_profile("hextui")

if "HEXTUI_HOME" not in os.environ:
    os.environ["HEXTUI_HOME"] = os.path.join(tempfile.gettempdir(), "hextui-tests")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile before several processes share the tests (-n): each would do it for itself."""
    if getattr(session.config.option, "numprocesses", None):
        compile_kernels()
