"""Mathematics with no mechanics in it: integrators with events, for one trajectory and for ensembles in lanes.

    from closedchain.numerics.driver import integrate
    from closedchain.numerics.problem import BoundKernel, Event, HybridProblem

    problem = HybridProblem(states=2, rhs=BoundKernel(kernel, constants), events=(Event("floor", direction=-1),))
    solution = integrate(problem, 0.0, y0, [], 1.0, samples=times)

    from closedchain.numerics.ensemble import ensemble

    many = ensemble(problem, 0.0, starts, [], 1.0, samples=times)      # starts (members, 2)

This page loads nothing, so that least squares do not wait for the integrators; Numba is imported when one is used.
"""
