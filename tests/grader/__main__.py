"""python -m tests.grader: grade what somebody else has written."""

import sys

from tests.grader.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
