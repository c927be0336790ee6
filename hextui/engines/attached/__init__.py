"""Other people's engines, behind the same interface as our own: programs that speak HTP or GTP."""
