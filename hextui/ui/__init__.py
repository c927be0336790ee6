"""The screen: the only room that draws."""
