"""How an integration ended: the codes of the compiled loops, their names, and the sentence for each."""

RUNNING = 0
DONE = 1
TERMINAL = 2
STOPPED = 3
CHATTER = 4
STIFF = 5
TOO_SMALL = 6
NOT_FINITE = 7
PROJECTION = 8
TOO_MANY = 9
SINGULAR = 12
# between the loops and their driver only
FULL = 10
NOT_STIFF = 11

NAMES = {
    DONE: "done",
    TERMINAL: "terminal event",
    STOPPED: "stopped",
    CHATTER: "chatter",
    STIFF: "stiff",
    TOO_SMALL: "step too small",
    NOT_FINITE: "not finite",
    PROJECTION: "projection failed",
    TOO_MANY: "too many steps",
    SINGULAR: "rank lost",
}

_SENTENCES = {
    DONE: "The end time {t:.9g} was reached.",
    TERMINAL: "The event {event} ended the integration at t = {t:.9g}.",
    STOPPED: "The integration was stopped at t = {t:.9g}.",
    CHATTER: "The event {event} repeats without end at t = {t:.9g}: its function returns to zero in ever shorter "
    "times. Give the model a state of rest there, or a law that takes time.",
    STIFF: "The explicit method is held to steps far below the accuracy's at t = {t:.9g} (the problem is stiff there); "
    "use method 'auto' or 'radau'.",
    TOO_SMALL: "The step at t = {t:.9g} had to be smaller than the spacing of floating-point numbers: the solution "
    "is not smooth there or grows without bound, or the tolerances are below rounding.",
    NOT_FINITE: "The right-hand side is not finite at t = {t:.9g}.",
    PROJECTION: "The state at t = {t:.9g} could not be projected onto the constraints, however small the step.",
    SINGULAR: "The constraints lose rank at t = {t:.9g} and the steps shrink without end towards that place; project "
    "every stage (project_stages) to pass through it.",
    TOO_MANY: "The largest number of steps was used up at t = {t:.9g}.",
}


def sentence(status: int, t: float, event: str = "") -> str:
    """The status as a sentence with its time and, where one is involved, the name of the event."""
    return _SENTENCES[status].format(t=t, event=event)
