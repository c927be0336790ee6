"""What users do on the main screen: each class has the actions of one kind as methods."""

from hextui.ui.workspace import Workspace


class ActionGroup:
    """Acts on the workspace; its actions are its methods with the decorator `action`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
