"""python -m tests.grader.release: write what a teacher uploads."""

import sys

from tests.grader.release.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
