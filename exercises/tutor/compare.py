"""Prediction against outcome, with what is luck in it and what is not."""

from exercises.tutor import screen
from exercises.tutor.predictions import Predictions
from train.recording import Recordings
from train.replay import answers, facts, gains, losses


def compare_row(recordings: Recordings, row: str, predictions: Predictions) -> None:
    """One row: what was predicted, what came, and the reasons that were measured."""
    answer = next(a for a in answers(predictions.rows, recordings.main) if a.row == row)
    known = next(fact for fact in facts(recordings) if fact.row == row)
    verdict = "as predicted" if answer.right else "not as predicted"
    screen.say(f'You predicted "{answer.predicted}"; it {answer.said}: {verdict}.')
    if known.learned_by is not None:
        screen.say(f"from step {known.learned_by} on, accuracy stays at 0.9 or more", "  since   ")
    screen.say(known.luck, "  luck    ")
    screen.say(f"its own best learning rate, {known.best_rate}", "  rate    ")
    for longer in known.longer:
        screen.say(longer, "  longer  ")
    screen.say(f"{known.because} {known.meaning}", "  inside  ")


def compare_table(recordings: Recordings, predictions: Predictions) -> None:
    """The four rows, a line each."""
    print(f"{'row':<15}{'predicted':<11}came")
    for answer in answers(predictions.rows, recordings.main):
        mark = "" if answer.right else "   (not as predicted)"
        print(
            f"{answer.row:<15}{answer.predicted:<11}{answer.said}{mark}"[: screen.width()].rstrip()
        )
    print()


def compare_guess(recordings: Recordings, predictions: Predictions) -> None:
    """Which single component recovers more, against the guess of exercise 1."""
    ended = losses(recordings.main)
    gained = gains(ended)
    best = max(gained, key=lambda name: gained[name])
    other = "norm" if best == "residual" else "residual"
    guess = predictions.recovers_more
    said = "You committed to no guess before the rows played."
    if guess is not None:
        said = f'Your guess was "{guess}": {"so it is" if guess == best else "it is the other"}.'
    more, less = (f"{round(gained[name], 2) + 0.0:.2f}" for name in (best, other))
    screen.say(
        f"Put back alone, {best} lowers the loss of {ended['neither']:.2f} by {more}, "
        f"{other} by {less}. {said}"
    )
