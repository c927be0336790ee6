"""Parts of kernels that tests call by themselves."""

from hextui.engine.kernels.compiling import kernel
from hextui.engine.kernels.memory import Handle
from hextui.engine.kernels.paths.counting import count_paths
from hextui.engine.kernels.paths.reduction import network_of_search


@kernel
def count_in_search(memory: Handle, search: Handle, slack: int) -> None:
    """Count paths of up to d + slack links in the network of a search."""
    network_of_search(memory, search, slack)
    count_paths(memory, 0)
