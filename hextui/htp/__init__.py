"""Our engine for other programs: the Hex Text Protocol on standard input and output."""
