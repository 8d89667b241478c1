"""Exercise 1, worked: the guess, the six numbers and the reading, with the arithmetic."""

# A guess is not right or wrong before the runs are in; this one is only an example.
RECOVERS_MORE = "residual"

# Row A = 4 6 11
MEAN_A = 21 / 3  # (4 + 6 + 11) / 3
VARIANCE_A = 26 / 3  # (9 + 1 + 16) / 3: divided by D = 3, since the row is all there is
NORMALISED_A = 1.35873  # (11 - 7) / sqrt(8.666667 + 0.00001) = 4 / 2.943922

# Row B = 3 3 7 11
MEAN_B = 6  # 24 / 4
VARIANCE_B = 11  # (9 + 9 + 1 + 25) / 4
NORMALISED_B = -0.90453  # (3 - 6) / sqrt(11 + 0.00001) = -3 / 3.316626

# A row of equal values has variance 0, and 0 / 0 is nan; eps under the root makes it 0 / 0.003.
EPSILON_IS_FOR = "C"
