"""Last step of the rewriting: control flow statements become calls of operators.

    if s > 0:              def then_1(s):  #@2
        s = s * 2              s = s * 2  #@3
                               return (s,)  #@2
                           (s,) = ag.cond(s > 0, then_1, None, (s,))  #@2

A local function takes and returns just the names it carries; everything else it reads where it stands.
A carried name that one of the user's nested functions captures is stored through ``nonlocal``, so that the
nested function sees every new value.  One that a nested function assigns is not carried at all: any call may
change it, so the trace keeps a journal of it.  Expressions keep the user's text; ``rewrite.lower`` makes their
leaves dispatch when the text is loaded.
"""

from astrace.rewrite.convert.converter import Converted, convert

__all__ = ["Converted", "convert"]
