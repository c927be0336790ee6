"""Parts of kernels that tests call by themselves."""

from hextui.engine.kernels.compiling import kernel
from hextui.engine.kernels.paths.counting import count_paths
from hextui.engine.kernels.paths.reduction import network_of_search
from hextui.engine.kernels.views import Handle


@kernel
def count_in_search(room: Handle, search: Handle, slack: int) -> None:
    """Count paths of up to d + slack links in the network of a search."""
    network_of_search(room, search, slack)
    count_paths(room)
