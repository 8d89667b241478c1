"""Exercise 1: by hand. A guess, six numbers and one reading; no torch needed.

Layer norm takes one row (the D features of one token) and gives it mean 0 and variance 1:

    normalised = (x - mean) / sqrt(variance + eps)            with eps = 1e-5

Two rows are worked step by step in exercises/README.md. Here are two others, for you.
Write each answer as a plain number, or as arithmetic (26 / 3); it is right within 0.001.

Source: Ba, Kiros and Hinton 2016, arXiv:1607.06450, section 3.
Check:  pytest tests/graded/test_by_hand.py
"""

# Before anything runs: a transformer of eight blocks has lost both its skip connections and its
# layer norms, and learns nothing. One of the two may come back. Which one recovers more?
# Write "residual" or "norm". It is your guess; exercise 5 shows what happens.
RECOVERS_MORE = None

# Row A:  4  6  11
MEAN_A = None  # the sum of the row divided by D
VARIANCE_A = (
    None  # the mean of (x - mean)^2: layer norm divides by D, since the row is all there is
)
NORMALISED_A = None  # the last of the three normalised values

# Row B:  3  3  7  11
MEAN_B = None
VARIANCE_B = None
NORMALISED_B = None  # the first of the four normalised values

# What is eps under the root for? Write the letter, with quotes.
#   A  It makes up for dividing by D instead of D - 1, so that the variance is unbiased.
#   B  It keeps the weights of the layer small, as weight decay does.
#   C  It keeps the division and its slope finite when the values of a row are (nearly) equal;
#      a row with an ordinary variance hardly notices it.
#   D  It sets how far the normalised values are spread: a larger eps, a larger spread.
EPSILON_IS_FOR = None
