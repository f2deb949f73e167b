"""Products of two long vectors as machine code, added up in the order that `long_orders` has found."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir

from astrace.backends.native.products.outer_loops import (
    BYTES,
    ITEM,
    WORD,
    constant,
    counted,
    fused,
    items_of,
    loaded,
    moved,
    part_of,
    stored,
)
from astrace.ops.lowered_products import (
    FUSED,
    FUSED_APART,
    LONG_LOOPS,
    LONG_STEPS,
    LONG_VECTORS,
    PLAIN,
    SIXTEENS,
    UNKNOWN,
)

# pyright: basic, reportCallIssue=false
GROUP: Final = 4
"""The sums that `long_orders` calls a group."""
GROUPS: Final = 4
"""The groups that go on side by side."""


class LongSum:
    """Writes a function of two vectors, which returns 1 where it has stored their product.

    Args:
        builder: writes LLVM instructions.
        orders: by place, what has been found out.
        out: the address of the product.
    """

    def __init__(self, builder: Any, orders: bytes, out: Any) -> None:
        self._builder = builder
        self._orders = orders
        self._out = out

    def write(self, left: Any, right: Any, size: Any, step: Any, other: Any) -> None:
        """Write it.

        Args:
            left: the address of a vector.
            right: that of the other one.
            size: the number of their items.
            step: along the first one, in bytes.
            other: along the other one.
        """
        builder = self._builder
        item = WORD(BYTES)
        steps = [step, other]
        follow = builder.and_(*(builder.icmp_signed("==", one, item) for one in steps))
        run_back = builder.or_(*(builder.icmp_signed("<", one, item) for one in steps))
        if order := self._orders[LONG_VECTORS]:
            with builder.if_then(follow):
                self._done(self._of_neighbours(order, left, right, size))
        if self._orders[LONG_LOOPS] != UNKNOWN:
            with builder.if_then(run_back):
                zero = constant(1, ITEM, 0.0)
                self._done(self._in_turn(PLAIN, zero, (left, right), WORD(0), size, steps))
        if order := self._orders[LONG_STEPS]:
            with builder.if_then(builder.not_(builder.or_(follow, run_back))):
                self._done(self._apart(order, left, right, size, steps))

    def _done(self, total: Any) -> None:
        """Store a product and return, if it is a number: of two operands that are none, which one is taken is nowhere said.

        NumPy adds what the library gives to zero: a sum of products that are too small for any number has no sign.
        """
        builder = self._builder
        total = builder.fadd(total, constant(1, ITEM, 0.0))
        stored(builder, total, self._out)
        builder.ret(builder.zext(builder.fcmp_ordered("==", total, total), WORD))
        builder.position_at_end(builder.append_basic_block("behind"))

    def _of_neighbours(self, order: int, left: Any, right: Any, size: Any) -> Any:
        builder = self._builder
        factors = left, right
        whole = builder.and_(size, WORD(-GROUP * GROUPS))
        sums = self._sixteens if order == SIXTEENS else self._thirty_twos
        total = sums(factors, whole)
        rest = PLAIN if order == SIXTEENS else FUSED
        return self._in_turn(rest, total, factors, whole, size, [WORD(BYTES)] * 2)

    def _sixteens(self, factors: tuple[Any, Any], size: Any) -> Any:
        builder = self._builder
        totals = self._side_by_side(GROUP, factors, WORD(0), size)
        pairs = [builder.fadd(*(part_of(builder, one, at, 2) for at in (0, 2))) for one in totals]
        return self._of_pair(builder.fadd(builder.fadd(pairs[0], pairs[1]), builder.fadd(pairs[2], pairs[3])))

    def _thirty_twos(self, factors: tuple[Any, Any], size: Any) -> Any:
        builder = self._builder
        most = builder.and_(size, WORD(-2 * GROUP * GROUPS))
        wide = self._side_by_side(2 * GROUP, factors, WORD(0), most)
        begun = [builder.fadd(*(part_of(builder, one, at, GROUP) for at in (0, GROUP))) for one in wide]
        first, *others = self._side_by_side(GROUP, factors, most, size, begun)
        for one in others:
            first = builder.fadd(first, one)
        return self._of_pair(builder.fadd(*(part_of(builder, first, at, 2) for at in (0, 2))))

    def _side_by_side(
        self, width: int, factors: tuple[Any, Any], begin: Any, end: Any, first: list[Any] | None = None
    ) -> list[Any]:
        """Sums in four vectors; what they begin with is zero, or given."""
        builder = self._builder
        held = [builder.alloca(items_of(width)) for _ in range(GROUPS)]
        for place, value in zip(held, first or [constant(width, ITEM, 0.0)] * GROUPS, strict=True):
            builder.store(value, place)
        with counted(builder, begin, end, width * GROUPS) as index:
            for at, place in enumerate(held):
                number = builder.add(index, WORD(at * width))
                items = [loaded(builder, width, moved(builder, one, WORD(BYTES), number)) for one in factors]
                builder.store(fused(builder, width, *items, builder.load(place)), place)
        return [builder.load(place) for place in held]

    def _of_pair(self, pair: Any) -> Any:
        items = [self._builder.extract_element(pair, ir.Constant(WORD, at)) for at in (0, 1)]
        return self._builder.fadd(*items)

    def _in_turn(
        self, order: int, total: Any, factors: tuple[Any, Any], begin: Any, end: Any, steps: list[Any]
    ) -> Any:
        """A sum to which products are added one after the other."""
        builder = self._builder
        held = builder.alloca(ITEM)
        builder.store(total, held)
        with counted(builder, begin, end, 1) as index:
            a, b = (
                loaded(builder, 1, moved(builder, one, step, index))
                for one, step in zip(factors, steps, strict=True)
            )
            before = builder.load(held)
            is_fused = order == FUSED
            after = fused(builder, 1, a, b, before) if is_fused else builder.fadd(before, builder.fmul(a, b))
            builder.store(after, held)
        return builder.load(held)

    def _apart(self, order: int, left: Any, right: Any, size: Any, steps: list[Any]) -> Any:
        builder = self._builder
        held = [builder.alloca(ITEM) for _ in range(2)]
        for place in held:
            builder.store(constant(1, ITEM, 0.0), place)
        whole = builder.and_(size, WORD(-GROUP))
        with counted(builder, WORD(0), whole, GROUP) as index:
            products = [self._product((left, right), steps, builder.add(index, WORD(at))) for at in range(4)]
            for at, place in enumerate(held):
                both = builder.fadd(products[at], products[at + 2])
                builder.store(builder.fadd(builder.load(place), both), place)
        total, other = (builder.load(place) for place in held)
        rest = FUSED if order == FUSED_APART else PLAIN
        return builder.fadd(self._in_turn(rest, total, (left, right), whole, size, steps), other)

    def _product(self, factors: tuple[Any, Any], steps: list[Any], index: Any) -> Any:
        builder = self._builder
        return builder.fmul(
            *(
                loaded(builder, 1, moved(builder, one, step, index))
                for one, step in zip(factors, steps, strict=True)
            )
        )
