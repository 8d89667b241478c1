"""What a hint asks, by the mistake that the learner's own output matched."""

# (words of the mistake's sentence, the question)
QUESTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "layer_norm": (
        ("D - 1", "The row 1 2 3 has squares 1 0 1 around its mean. By what do you divide their "
                  "sum: by the number of values you have, or by one less? When is one less right?"),
        ("root is taken twice", "sqrt(variance) is the standard deviation. How many roots lie "
                                "between the variance and what you divide by?"),
        ("outside", "Take the row 0.001 -0.001 with eps = 1e-05. Which is larger: sqrt(variance) + "
                    "eps, or sqrt(variance + eps)? By which did the reference divide?"),
        ("axis", "x has shape (2, 3, 4): two sequences of three tokens. How many means are there, "
                 "and over which numbers does each of them run?"),
        ("RMS", "Take the row 5 6 7. What is its mean after your function, and what should it be?"),
        ("not centred", "Take the row 5 6 7. What is left of the 6 that they share?"),
        ("No eps", "Take the row 4 4 4 4. What is its variance, and what do you divide by?"),
        ("eps", "Take the row 0.001 -0.001 with eps = 1e-05. Which number does your code add to "
                "its variance, and is it added before the root or after?"),
        ("weight", "weight is (0.5, 2). Which features does it scale, and does bias come before or "
                   "after?"),
        ("gradient", "If x_1 grows a little, the mean of its row grows too. Does autograd see that "
                     "in your code?"),
        ("in place", "After layer_norm(x), the caller looks at x again. What does it find?"),
    ),
    "linear": (
        ("transpose", "weight has a row for each output. x @ weight multiplies x with its columns: "
                      "how many numbers are in a column?"),
        ("bias", "Three features, two outputs. How many numbers are in bias, and how often is each "
                 "of them added to an output?"),
        ("1/sqrt", "Linear(16, 2048): between which two numbers do its weights start?"),
        ("start", "Linear(16, 2048): between which two numbers do its weights and biases start?"),
        ("axes", "x may be one vector, or (4, 5, 3). Which axis holds the features in both?"),
        ("in place", "t = bias[0]; t += 1. What is bias[0] now?"),
        ("gradient", "Which tensor does autograd no longer see, and at which line of yours is it "
                     "lost?"),
    ),
    "residual": (
        ("post-norm", "x + sublayer(norm(x)): if sublayer gives zeros, what does the block return? "
                      "And what does yours?"),
        ("skip", "Put a sublayer that gives zeros into your block. Does x come out?"),
        ("norm", "Which of the two does the sublayer get to see: x, or norm(x)? And the skip?"),
        ("residual=False", "With residual=False, what is added to sublayer(norm(x))?"),
        ("called", "If norm held a dropout, would calling it twice give the same twice?"),
        ("in place", "x += y writes into the tensor of the caller. What does x + y do?"),
    ),
}  # fmt: skip

GENERAL = {
    "by_hand": "Work the row of exercises/README.md again and cover the numbers: at which step do "
               "yours part from those?",
    "layer_norm": "Take the row 1 2 3 through your function line by line, beside "
                  "python -m exercises step 1 2 3: at which line do the numbers part?",
    "linear": "Take one vector and one output: which products are added up, and is bias in it "
              "once? See python -m exercises step linear",
    "residual": "Draw the two ways from x to the sum. What stands on each?",
    "ablation": "Which of the four pieces does the first failing check name? Read its docstring: "
                "what goes in, with which shape, and what comes out?",
}  # fmt: skip

# Of a part, where no known mistake was matched; all other parts have the general question.
OF_A_PART = {
    "EPSILON_IS_FOR": "Work 4 4 4 4 and then 1 2 3, each with eps off and on: python -m exercises "
                      "step 4 4 4 4 --both. What does eps change in each? Which letter says that?",
    "RECOVERS_MORE": "No guess is wrong before the rows play. With residuals and norms both taken "
                     "out, which one would you put back first?",
    "mean_and_variance": "Take the row 1 2 3: which two numbers belong to it, and by what is the "
                         "sum of squares divided? For x of shape (2, 3), what are their shapes?",
    "LayerNorm": "What does LayerNorm(3) hold when it is made: under which names, with which "
                 "values? And what does forward hand on to layer_norm?",
    "linear": "x may be (3,), (2, 3) or (4, 5, 3). Over which axis does the sum run in each, and "
              "which shape comes back?",
    "Linear": "What does Linear(3, 2) hold when it is made: under which names, drawn between "
              "which two numbers? And what does forward hand on to linear?",
    "PREDICTIONS": "Nothing is right or wrong before the rows play. Which of the four words "
                   "beside the rows is still missing, or misspelled?",
    "TAKEAWAY": "What would you tell somebody who asks what the two parts are for, in a sentence?",
}  # fmt: skip


def question(exercise: str, mistakes: list[str], part: str = "") -> str:
    """The question for the mistakes of the last evaluated run; if none is known, for the part."""
    for mistake in mistakes:
        for words, text in QUESTIONS.get(exercise, ()):
            if words in mistake:
                return text
    return OF_A_PART.get(part, GENERAL[exercise])
