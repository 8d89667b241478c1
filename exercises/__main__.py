"""The learner's door: `python -m exercises` and `python -m exercises help`."""

import sys

from exercises.tutor.door import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
