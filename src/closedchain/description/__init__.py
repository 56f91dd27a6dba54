"""What the user said about a mechanism: read, checked, and kept as frozen data; no mechanics."""

from closedchain.description.bodies import Body, Location, Point
from closedchain.description.chains import Chain
from closedchain.description.clearances import Clearance
from closedchain.description.couplings import Coupling
from closedchain.description.document import FrozenMap
from closedchain.description.drives import Actuator, Control, Motion
from closedchain.description.files.toml import load, loads, tables_at_hand
from closedchain.description.forces import Force
from closedchain.description.joints import Joint
from closedchain.description.mechanism import Mechanism
from closedchain.description.outputs import Output, Study
from closedchain.description.references import At, CoordinateReference
from closedchain.description.values import Value

__all__ = [
    "Actuator", "At", "Body", "Chain", "Clearance", "Control", "CoordinateReference", "Coupling", "Force", "FrozenMap",
    "Joint", "Location", "Mechanism", "Motion", "Output", "Point", "Study", "Value", "load", "loads",
    "tables_at_hand",
]  # fmt: skip
