# The public names and where they live: read by type checkers and, when a name is first used, by __init__.py.
from closedchain.analyses.assembly import assemble as assemble
from closedchain.analyses.assembly_modes import assembly_modes as assembly_modes
from closedchain.analyses.bifurcation import bifurcation as bifurcation
from closedchain.analyses.chain_influence import chain_influence as chain_influence
from closedchain.analyses.contact_statistics import contact_statistics as contact_statistics
from closedchain.analyses.deviation import deviation as deviation
from closedchain.analyses.drive_summary import drive_summary as drive_summary
from closedchain.analyses.ensemble import ensemble as ensemble
from closedchain.analyses.envelope import envelope as envelope
from closedchain.analyses.equilibrium import Equilibrium as Equilibrium
from closedchain.analyses.equilibrium import equilibrium as equilibrium
from closedchain.analyses.errors import errors as errors
from closedchain.analyses.influence import influence as influence
from closedchain.analyses.inverse_dynamics import inverse_dynamics as inverse_dynamics
from closedchain.analyses.kinematics import kinematics as kinematics
from closedchain.analyses.limb_influence import limb_influence as limb_influence
from closedchain.analyses.linearise import linearise as linearise
from closedchain.analyses.loop_matrices import loop_matrices as loop_matrices
from closedchain.analyses.lyapunov import lyapunov as lyapunov
from closedchain.analyses.mobility import mobility as mobility
from closedchain.analyses.platform_inverse import platform_inverse as platform_inverse
from closedchain.analyses.poincare import poincare as poincare
from closedchain.analyses.point import point as point
from closedchain.analyses.pose import Pose as Pose
from closedchain.analyses.simulate import simulate as simulate
from closedchain.analyses.singularities import singularities as singularities
from closedchain.analyses.sweep import sweep as sweep
from closedchain.description import Mechanism as Mechanism
from closedchain.description import load as load
from closedchain.exceptions import AssemblyError as AssemblyError
from closedchain.exceptions import ClosedChainError as ClosedChainError
from closedchain.exceptions import Finding as Finding
from closedchain.exceptions import IntegrationError as IntegrationError
from closedchain.exceptions import MechanismError as MechanismError
from closedchain.exceptions import SingularConfigurationError as SingularConfigurationError
from closedchain.model import Model as Model
from closedchain.model import compile as compile
from closedchain.results import load_result as load_result
from closedchain.results import save as save
from closedchain.results import table as table
from closedchain.views import plots
from closedchain.views.animation import animate as animate
from closedchain.views.report import report as report
from closedchain.views.viewer.opening import view as view

__version__: str
plot = plots
