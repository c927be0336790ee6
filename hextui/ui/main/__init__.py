"""The main screen and the parts it is made of."""
