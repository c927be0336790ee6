"""Every test runs with a home of its own, but shares one folder of compiled kernels."""

import os
import tempfile

if "HEXTUI_HOME" not in os.environ:
    os.environ["HEXTUI_HOME"] = os.path.join(tempfile.gettempdir(), "hextui-tests")
