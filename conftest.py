"""What learns a network is collected only where PyTorch is: nothing else needs it."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["research/training", "tests/make_network_pairs.py"]
