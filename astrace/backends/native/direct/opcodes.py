"""The instructions of a direct call: four words each, the first of which says what is done with the others.

What is read and made lies in *slots*, the arguments of the call in the first ones.
"""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Final

WIDTH: Final = 4
"""The words of an instruction."""


class Opcode(IntEnum):
    """What an instruction does; ``a``, ``b`` and ``c`` are the words behind it.

    Those that test leave the call to the dispatcher where the test fails.
    """

    IS = 0
    """Test that slot ``a`` holds object ``b``."""
    IS_EITHER = auto()
    """Test that slot ``a`` holds object ``b`` or ``c``."""
    HAS_TYPE = auto()
    """Test that slot ``a`` holds an instance of exactly class ``b``."""
    IS_ARRAY = auto()
    """Test that slot ``a`` holds an array of dtype ``b`` with ``c`` axes."""
    HAS_SIZE = auto()
    """Test that axis ``b`` of the array in slot ``a`` has size ``c``."""
    IS_AT = auto()
    """Test that slots ``a`` and ``b`` hold one object, or, where ``c`` is 0, two."""
    HAS = auto()
    """Test that slot ``a`` holds a container with key ``b``, or, where ``c`` is 0, without it."""
    EQUALS = auto()
    """Test that slot ``a`` holds object ``b``, or one of its class that equals it."""
    HAS_LENGTH = auto()
    """Test that slot ``a`` holds a container of length ``b``."""
    ATTRIBUTE = auto()
    """Put attribute ``b`` of slot ``a`` into slot ``c``."""
    ITEM = auto()
    """Put the item at key ``b`` of slot ``a`` into slot ``c``."""
    OBJECT = auto()
    """Put object ``b`` into slot ``c``."""
    COPY = auto()
    """Put what slot ``a`` holds into slot ``c``."""
    RUN = auto()
    """Give the kernel ``b`` slots from ``a`` on, and put what it gives into slot ``c``; leave the call where that is no result."""
    FOUND = auto()
    """Put item ``b`` of the tuple in slot ``a`` into slot ``c``."""
    MAKE = auto()
    """Put what slot ``a`` holds into slot ``c``, as an instance of exactly class ``b``, which is called with it if it is none."""
    CALL = auto()
    """Put what the callable in slot ``a`` makes of the ``b`` slots behind it into slot ``c``; the call is not left any more."""
    TUPLE = auto()
    """Put a tuple of ``b`` slots from ``a`` on into slot ``c``."""
    SKIP_UNLESS = auto()
    """Go on ``b`` instructions later unless slot ``a`` holds something true."""
    SKIP = auto()
    """Go on ``b`` instructions later."""
    PICK = auto()
    """Put what lies in front of or behind slot ``b`` into slot ``c``: number ``n`` in slot ``a`` stands for slot ``b + n - 1``."""
    RETURN = auto()
    """End the call with what slot ``a`` holds."""
