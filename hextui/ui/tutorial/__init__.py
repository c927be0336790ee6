"""The tutorial: steps that the user does in the workstation, and the bar that names them."""
