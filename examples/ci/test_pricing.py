"""The test that guards what is shipped; it fails, and says why."""

import numpy as np
import pricing

import astrace


def test_the_graph_that_is_shipped(astrace_check):
    """The graph gives what the function gives; ``deadline`` leaves time for all examples on a busy machine."""
    cash, years = np.array([100.0, 50.0]), np.array([1.0, 2.0])
    graph = astrace.trace(pricing.discounted, cash, years, True)
    astrace_check(graph, cash, years, True, original=pricing.discounted, level="quick", deadline=60)
