"""Has numba read settings from the environment alone, and says in one line what is wrong there.

numba also reads ``.numba_config.yaml`` of the current folder, which a stranger may have sent: with
PyYAML, which Dask brings along, when it is imported and again whenever it compiles. Its settings
can overwrite any file of the user. It has no option against that, but does without PyYAML. So that
is missing for the moment in which numba reads its settings for the first time. Where a version of
numba reads them elsewhere, nothing is hidden.
"""

import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_SETTINGS = "numba.core.config"
_MISSING = "A Numba config file is found but YAML parsing capabilities appear to be missing"
_NAME = re.compile(r"NUMBA_\w+")


class NumbaSettingsError(ValueError):
    """numba cannot work with the settings in the environment; the message is one line."""


class _SettingsFinder(MetaPathFinder):
    """Finds numba's module of settings, and has it loaded without PyYAML."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where the module is; None for any other."""
        if fullname != _SETTINGS:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _SettingsLoader(spec.loader)
        return spec


class _SettingsLoader(Loader):
    """Loads numba's module of settings; raises NumbaSettingsError."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to the loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, which reads the settings."""
        warnings.filterwarnings("ignore", _MISSING)
        with _without_yaml(), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # it would print a traceback
            try:
                self._loader.exec_module(module)
            except (RuntimeWarning, ValueError, RuntimeError) as error:
                raise NumbaSettingsError(_complaint(str(error))) from None
        if getattr(module, "DISABLE_JIT", 0):
            raise NumbaSettingsError("NUMBA_DISABLE_JIT is set, but the engine must be compiled")
        if getattr(module, "NUMBA_NUM_THREADS", 1) < 1:
            raise NumbaSettingsError("NUMBA_NUM_THREADS is less than 1")


@contextmanager
def _without_yaml() -> Iterator[None]:
    loaded = sys.modules.get("yaml")
    sys.modules["yaml"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["yaml"]
        if loaded is not None:
            sys.modules["yaml"] = loaded


def _complaint(said: str) -> str:
    """Return a line that names the variable which numba rejects, or else all that are set."""
    named = _NAME.search(said)
    names = [named[0]] if named else sorted(filter(_NAME.fullmatch, os.environ))
    what = said.strip().partition("\n")[0]
    return f"{' '.join(names) or 'numba'}: numba cannot use this setting: {what}"


sys.meta_path.insert(0, _SettingsFinder())
