"""Arguments that every study of a pose has: the point it asks for, and the coordinates of the pose."""

from closedchain.cli.studies.arguments import Argument, Values, Words
from closedchain.cli.studies.references import a_point, joint_values

POINT = Argument("of", 'point, "body.point" or the name of an output', Words(), required=True, refers=a_point)
PLATFORM = Argument("of", 'point of the platform, "body.point" or an output', Words(), required=True, refers=a_point)
VALUES = Argument("values", "coordinates of the pose, such as A=30deg", Values(), refers=joint_values)
