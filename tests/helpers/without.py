"""Running code where some modules are not installed."""

import subprocess
import sys
from collections.abc import Iterable

_BLOCK = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if any(name == module or name.startswith(module + ".") for module in {modules}):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""


def run_without(modules: Iterable[str], code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, to which these modules are not there."""
    command = [sys.executable, "-c", _BLOCK.format(modules=[*modules]) + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)
