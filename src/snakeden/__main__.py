"""`python -m snakeden` is `snakeden`."""

import sys

from snakeden.cli import main

sys.exit(main())
