"""The screen: Textual is used in this room only."""

import os

# Textual paints at most so often a second; a key right after another change would wait for it
os.environ.setdefault("TEXTUAL_FPS", "250")
