"""Traced event functions alone: locating an event asks for them some ten times, and they need no accelerations."""

from closedchain.algorithms.constraints import zeros
from closedchain.algorithms.contact import contacts
from closedchain.algorithms.maximal import all_motions
from closedchain.algorithms.motion import move
from closedchain.model.dynamics_kernels import Setting, event_values, instant
from closedchain.model.loads import Places, make_loads
from closedchain.model.maximal_setting import MaximalSetting, free_bodies


def guard_kernel(setting: Setting):
    """Kernel (t, y, memory) -> the event functions of the right-hand side in joint coordinates."""

    def function(t, y, memory=(), parameters=None):
        now = instant(setting, t[0], y, parameters)
        motions = move(now.system.tree, now.q, now.v, zeros(now.system.tree.rates))
        loose = make_loads(setting.model, t[0], parameters, motors=False, latched=setting.latched).loose
        return {"events": event_values([contacts(joint, motions, memory, now.extra) for joint in loose])}

    return setting.model.kernel(("guard", setting.key), function, setting.inputs)


def maximal_guard(setting: MaximalSetting):
    """Kernel (t, y, memory) -> the event functions of the right-hand side in maximal coordinates."""

    def function(t, y, memory=(), parameters=None, baumgarte=()):
        system = free_bodies(setting, parameters)
        x, u, _, extra, *_ = setting.split(y)
        motions = all_motions(system, x, u)
        index = {name: place for place, name in enumerate(setting.rates)}
        places = Places(lambda name: (index[name], index[name]), setting.places)
        loose = make_loads(setting.model, t[0], parameters, motors=False, places=places).loose
        return {"events": event_values([contacts(joint, motions, memory, extra) for joint in loose])}

    return setting.kernel("guard", function)
