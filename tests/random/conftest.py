"""The modules beside this file find each other, in the tests as when `many.py` runs them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
