"""Stores into attributes and into entries of dicts, moved behind the loops and statements that they are among.

Takes consecutive nodes; gives nodes without stores, and what is to be stored behind them.  Does not know who runs the nodes,
nor whether a store does nothing but store.

==============  ==================================================
``stores``      nodes without their stores, and the last ones
``branches``    what both branches of a node store
``loops``       what a loop stores, which it carries
``places``      where stores go, and what is stored last
==============  ==================================================
"""

from astrace.passes.deferral.places import LastStore, is_deferrable
from astrace.passes.deferral.stores import Deferred, deferred

__all__ = ["Deferred", "LastStore", "deferred", "is_deferrable"]
