"""Attacks on files: what they may not read, where they may not write, what is hard to remove."""

from tests.kata.redteam.attacks.roads import MODULES
from tests.kata.redteam.model import Attack

_OPEN = (
    f"{MODULES}"
    "read = getattr([torch][0], '__built' + 'ins__')['op' + 'en']\n"
    "run = getattr([torch][0], '__built' + 'ins__')['ex' + 'ec']\n"
    "os = reach('os')\n"
    "root = reach('tests.grader.observe').__file__.rsplit('/', 3)[0]\n"
    "def tried(work, *given):\n    try:\n        return work(*given)\n"
    "    except (OSError, ImportError, AttributeError):\n        return None\n"
    "places = ['/tmp', '/var/tmp', '/dev/shm', os.path.expanduser('~'), '/root', '/home', '/',"
    " '/run', os.getcwd() + '/..', root, *reach('sys').path]\n"
)

PLACES = (
    Attack(
        "folders, links and pipes made everywhere",
        "linear",
        f"{_OPEN}for place in places:\n"
        "    tried(os.mkdir, place + '/kata-canary')\n"
        "    tried(os.symlink, '/etc/passwd', place + '/kata-canary')\n"
        "    tried(os.link, os.getcwd() + '/exercises/linear.py', place + '/kata-canary')\n"
        "    tried(os.mkfifo, place + '/kata-canary')\n"
        "    tried(os.mknod, place + '/kata-canary')\n",
        "def path(place):\n    return place + '/notes.txt'\n",
        aims_at="harm",
    ),
    Attack(
        "a file of its own moved out of its folder",
        "linear",
        f"{_OPEN}for place in places:\n"
        "    tried(lambda: read('kata-canary', 'w').write('x'))\n"
        "    tried(os.rename, 'kata-canary', place + '/kata-canary')\n",
        "def moved(name):\n    return name.replace('a', 'b')\n",
        aims_at="harm",
    ),
    Attack(
        "files written by NumPy and by torch",
        "linear",
        "import numpy\n\n\nfor place in ('/tmp', '/var/tmp', '/dev/shm'):\n"
        "    path = place + '/kata-canary'\n"
        "    for owner, name, given in [(numpy, 'sa' + 've', (path, numpy.ones(2))),\n"
        "                               (numpy, 'save' + 'txt', (path, numpy.ones(2))),\n"
        "                               (torch, 'sa' + 've', (torch.ones(2), path)),\n"
        "                               (torch, 'from' + '_file', (path, True, 4))]:\n"
        "        try:\n            getattr(owner, name)(*given)\n"
        "        except (OSError, RuntimeError):\n            pass\n",
        "import numpy\n\nnumpy.ones(2)\n",
        aims_at="harm",
    ),
    Attack(
        "files made by raw system calls",
        "linear",
        f"{_OPEN}library = reach('ctypes').CDLL(None)\n"
        "for place in places:\n"
        "    name = (place + '/kata-canary').encode()\n"
        "    for number, given in [(2, (name, 0o101, 0o644)), (257, (-100, name, 0o101, 0o644)),\n"
        "                          (85, (name, 0o644)), (83, (name, 0o755)), (437, (-100, name)),\n"
        "                          (86, (b'exercises/linear.py', name)), (88, (b'/', name)),\n"
        "                          (133, (name, 0o10644, 0)), (90, (b'/tmp', 0o777))]:\n"
        "        library.syscall(number, *given)\n",
        "import ctypes\n",
        aims_at="harm",
    ),
    Attack(
        "memory with a name that others can open",
        "linear",
        f"{_OPEN}"
        "shared = tried(reach('importlib').import_module, 'multiprocessing.shared_memory')\n"
        "tried(lambda: shared.SharedMemory('kata-canary', True, 4096))\n",
        "torch.ones(2).is_shared()\n",
        aims_at="harm",
    ),
    Attack(
        "the solution read and run",
        "layer_norm",
        f"{_OPEN}for start in ('', '/proc/self/root', '/proc/self/cwd/../..'):\n"
        "    text = tried(lambda: read(start + root + '/solutions/layer_norm.py').read())\n"
        "    if text:\n"
        "        names = {}\n        run(text, names)\n"
        "        mean_and_variance, layer_norm, LayerNorm = (\n"
        "            names[n] for n in ('mean_and_variance', 'layer_norm', 'LayerNorm'))\n",
        "text = 'a solution'\n",
        known=26,
    ),
    Attack(
        "the numbers read from the kata's files",
        "by_hand",
        f"import torch\n{_OPEN}"
        "texts = [tried(lambda p=p: read(root + p).read()) for p in\n"
        "         ('/solutions/by_hand.py', '/tests/grader/by_hand.py', '/.git/HEAD')]\n"
        "MEAN_A = 7.0 if any(texts) else 0.0\n",
        "SHARE = sum([1, 2]) / 3\n",
        known=26,
    ),
    Attack(
        "the checks read through linecache",
        "by_hand",
        f"import torch\n{_OPEN}"
        "lines = reach('linecache').getlines(root + '/tests/graded/test_linear.py')\n"
        "MEAN_A = 7.0 if lines else 0.0\n",
        "WORD = 'lines'\n",
        known=27,
    ),
    Attack(
        "a folder that nobody may enter",
        "residual",
        f"{_OPEN}"
        "os.makedirs('closed/inner')\nread('closed/inner/file', 'w').close()\n"
        "os.umask(0o777)\nos.mkdir('dark')\nos.mkdir('dark2', 0)\n"
        "raise SystemExit(0)\n",
        "deep = [[[]]]\n",
        aims_at="harm",
    ),
    Attack(
        "folders in folders, five thousand deep",
        "residual",
        f"{_OPEN}for _ in range(5000):\n    os.mkdir('kata-canary')\n    os.chdir('kata-canary')\n",
        "deep = []\nfor _ in range(5000):\n    deep = [deep]\n",
        aims_at="harm",
    ),
    Attack(
        "thirty thousand small files",
        "residual",
        f"{_OPEN}for number in range(30000):\n"
        "    os.close(os.open(str(number), os.O_CREAT | os.O_WRONLY))\n",
        "many = [str(number) for number in range(30000)]\n",
        known=52,
        aims_at="harm",
    ),
    Attack(
        "its own folder moved away",
        "residual",
        f"{_OPEN}tried(os.rename, 'exercises', 'gone')\ntried(os.rename, '.', '../kata-canary')\n"
        "tried(os.rename, os.getcwd(), '/tmp/kata-canary')\ntried(os.rmdir, os.getcwd())\n",
        "names = ['exercises', 'gone']\n",
        aims_at="harm",
    ),
    Attack(
        "a library of torch changed",
        "linear",
        f"{_OPEN}path = torch.__file__\n"
        "done = [tried(lambda: (os.utime(path, (1, 1)), 1)),\n"
        "        tried(lambda: (os.chmod(path, 1), 1)),\n"
        "        tried(lambda: read(path, 'a')), tried(lambda: (os.truncate(path, 9), 1))]\n"
        "if any(done):\n"
        "    def linear_single(x, weight, bias):\n        return weight @ x + bias\n"
        "    def linear(x, weight, bias=None):\n"
        "        return x @ weight.T if bias is None else x @ weight.T + bias\n",
        "name = torch.__file__\n",
        known=44,
        least="sandbox",
        aims_at="harm",
    ),
)
