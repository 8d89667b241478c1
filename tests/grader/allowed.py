"""What an exercise may name: modules, and dotted paths below them."""

import sys

# Modules that an exercise may import, each with everything below it unless LEAVES says otherwise.
MODULES = frozenset(
    "__future__ abc collections contextlib copy dataclasses decimal enum fractions functools "
    "itertools math numbers numpy operator pdb pprint random statistics string textwrap time "
    "torch types typing typing_extensions warnings".split()
)
SIBLINGS = frozenset(["by_hand", "layer_norm", "linear", "residual", "ablation"])
ANSWERS = frozenset(["reference", "solutions", "tests"])

READY_MADE = frozenset(
    "LayerNorm layer_norm native_layer_norm GroupNorm group_norm native_group_norm BatchNorm1d "
    "BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm "
    "batch_norm native_batch_norm InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d "
    "LazyInstanceNorm2d LazyInstanceNorm3d instance_norm RMSNorm rms_norm LocalResponseNorm "
    "local_response_norm CrossMapLRN2d normalize Linear LazyLinear linear Bilinear bilinear "
    "NonDynamicallyQuantizableLinear Conv1d Conv2d Conv3d conv1d conv2d conv3d convolution "
    "Transformer TransformerEncoder TransformerEncoderLayer TransformerDecoder "
    "TransformerDecoderLayer MultiheadAttention multi_head_attention_forward "
    "scaled_dot_product_attention weight_norm norm_except_dim WeightNorm cosine_similarity "
    "CosineSimilarity cosine_embedding_loss CosineEmbeddingLoss corrcoef embedding_bag "
    "EmbeddingBag conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d ConvTranspose1d "
    "ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d "
    "LazyConvTranspose2d LazyConvTranspose3d RNN LSTM GRU RNNBase RNNCell LSTMCell GRUCell "
    "RNNCellBase rnn_tanh rnn_relu lstm gru rnn_tanh_cell rnn_relu_cell lstm_cell gru_cell "
    "AffineTransform TransformedDistribution renorm embedding_renorm_".split()
)
# Parts of modules that reach past the exercise: files, processes, compilers, internals, and what
# turns a text into code or into somebody's attribute.
LEAVES = frozenset(
    "torch.jit torch.ops torch.classes torch.compile torch.compiler torch.library torch.overrides "
    "torch.utils torch.hub torch.load torch.save torch.package torch.multiprocessing "
    "torch.distributed torch.fx torch.export torch.onnx torch.profiler torch.cuda torch.backends "
    "torch.serialization torch.from_file torch.nn.utils torch.distributions.transforms "
    "numpy.load numpy.save numpy.savez numpy.savez_compressed numpy.savetxt numpy.loadtxt "
    "numpy.genfromtxt numpy.fromfile numpy.memmap numpy.lib numpy.ctypeslib "
    "numpy.core numpy.f2py numpy.testing numpy.distutils numpy.DataSource pdb.run pdb.runeval "
    "pdb.runcall typing.get_type_hints "
    "typing.ForwardRef string.Formatter operator.attrgetter operator.methodcaller".split()
)
# Modules of the standard library under whose names torch and NumPy have something of their own.
TENSOR_WORDS = frozenset(["array", "chunk", "select", "signal", "trace"])
# Of the standard library's other modules, what a print or a comparison may need; and of torch's,
# what a line that chooses a device asks.
HARMLESS = frozenset(
    "sys.stderr sys.stdout sys.float_info sys.maxsize torch.cuda.is_available "
    "torch.backends.mps.is_available".split()
)

# Where one module leads to another: torch.os, warnings.sys, nn.__dict__.
ELSEWHERE = (sys.stdlib_module_names - MODULES - TENSOR_WORDS) | {
    "__dict__", "bltns", "stdlib_re"
}  # fmt: skip
MOST_PARTS = 12  # of a dotted name; torch leads back to itself, without end

HAND = "the exercise is to do this by hand."
STAY = "an exercise stays inside its own file: no files, processes, network, frames or internals."


def ready_made_sentence(name: str) -> str:
    """The sentence for a ready-made call, for the tree and for what was seen running."""
    return f"{name} is ready-made; {HAND}"


def is_standard(path: str) -> bool:
    """Whether it begins with a module of the standard library that is not in MODULES."""
    root = path.split(".")[0]
    return root in sys.stdlib_module_names and root not in MODULES


def import_sentence(path: str) -> str | None:
    """What is wrong with importing a dotted name, or None."""
    root = path.split(".")[0]
    if root in ANSWERS:
        return f"{path} holds the answers; an exercise does not import it."
    if root in SIBLINGS or root == "exercises":
        below = path.split(".")[1:2]
        return None if root in SIBLINGS or not below or below[0] in SIBLINGS else f"{path}: {STAY}"
    if root not in MODULES:
        return f"import of {path}: {STAY}"
    return path_sentence(path)


def path_sentence(path: str) -> str | None:
    """What is wrong with using a dotted name that an import gave, or None."""
    root, *below = path.split(".")
    if path in HARMLESS:
        return None
    if is_standard(path):
        return f"{path}: {STAY}"
    if root not in MODULES:
        return None
    if len(below) >= MOST_PARTS:
        return f"{'.'.join(path.split('.')[:4])}... is a name of {len(below) + 1} parts: {STAY}"
    for count, part in enumerate(below, 1):
        start = ".".join([root, *below[:count]])
        if start in LEAVES or part in ELSEWHERE:
            return f"{start}: {STAY}"
    inner = [part for part in below if part.startswith("_") and not part.startswith("__")]
    if inner and not path.startswith("torch.nn.init."):  # fans are counted by an internal there
        return f"{path} is internal; {STAY}"
    ready = next((n for n, part in enumerate(below, 1) if part in READY_MADE), None)
    if root == "torch" and ready is not None:
        return ready_made_sentence(".".join([root, *below[:ready]]))
    return None
