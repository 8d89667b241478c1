#!/usr/bin/env bash
# Runs once, as root, while Gradescope builds the image.
set -euo pipefail

# Fill in the address that PyTorch's page "Get Started, Start Locally" shows for "CPU".
export PIP_EXTRA_INDEX_URL="${PIP_EXTRA_INDEX_URL:-}"

root=${KATA_AUTOGRADER_ROOT:-/autograder}
source=$root/source

export DEBIAN_FRONTEND=noninteractive
export PYTHON=python3
apt-get update
apt-get install --yes --no-install-recommends python3 python3-venv
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install --yes --no-install-recommends python3.11 python3.11-venv
    PYTHON=python3.11
fi
bash "$source/install.sh" "$root/venv"

# What is handed in runs as another user, who has nothing to look for there.
chmod -R go-rwx "$source/kata/solutions"
