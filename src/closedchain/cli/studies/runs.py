"""Arguments that every study made of simulations has: where it starts, what is loose, how exact it is."""

from closedchain.cli.studies import references
from closedchain.cli.studies.arguments import Argument, Choice, Quantity, Values

START = Argument(
    "start",
    "coordinates, or coordinates and rates, at the start, such as A=30deg,0",
    Values(),
    refers=references.joints,
)
CLEARANCE = Argument("clearance", "true, false, or the joints that are loose", Choice(), refers=references.loose_joints)
TOLERANCES = (
    Argument("rtol", "relative tolerance", Quantity("1")),
    Argument("atol", "absolute tolerance", Quantity("1")),
)
