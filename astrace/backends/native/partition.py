"""The parts of a block that become kernels: runs of array code and loops that have a lowered form.

A run becomes a call of its kernel, and a branch that runs the nodes as they are where the kernel has given up.  Views
that come out of a run are made again around the kernel: they are views of what they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from astrace.backends.base import EXACT, Mode
from astrace.backends.native.background.turn import Turn
from astrace.backends.native.entry.plain_stores import StorePlaces, entry_with_stores
from astrace.backends.native.entry.seen_types import LoopEntry, SeenTypes, type_test
from astrace.backends.native.judge import Judge
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.machine_code import Uncompiled, imported
from astrace.backends.native.runs import (
    LOOPS,
    Run,
    is_array_code,
    is_one_loop,
    leaves_outside_alone,
    may_be_narrowed,
    runs,
    runs_of,
    runs_of_program,
)
from astrace.backends.native.seams import BlockAround, Seam, seam_of, sizes_of
from astrace.backends.native.source import write
from astrace.errors import Reason
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ANY, BOOL
from astrace.ops.lowered_products import UNKNOWN
from astrace.passes.analysis.unset_values import unset_values
from astrace.passes.loop_checks import Condition, without_checks
from astrace.passes.lowering.block import Unlowered, no_orders
from astrace.passes.lowering.broadcasts import NO_SIZES, Sizes
from astrace.passes.lowering.closing import closed
from astrace.passes.lowering.lower import LoweredBlock, lower
from astrace.passes.lowering.wording import type_in_words, unknown_in_words
from astrace.passes.narrowed_nodes import NotNarrowed
from astrace.passes.narrowing import narrowed


@dataclass(slots=True)
class Partition:
    """A block in which runs are calls of kernels.

    Args:
        name: the user's function, for the names of kernels.
        file: the user's file.
        compiled: kernels are compiled; else Python runs their text.
        judged: kernels run only where they are faster than NumPy's program.
        module: what Python's warnings look for in the globals of the code that warns.
        turn: of the kernels, which another process compiles; without one, this process does.
        mode: what kernels may do to be faster.
        before: the kernels that are asked before those of this partition.
        seen: with which types loops were entered whose inputs may be anything.
        watched: gives the nodes of such a loop that was not entered yet; those around it note when it is.
        unset: the values that may not be there yet, which no kernel is given.
        kernels: those that were made.
        refused: why a loop has no kernel.
    """

    name: str
    file: str
    compiled: bool = True
    judged: bool = False
    module: Mapping[str, Any] = field(default_factory=dict[str, Any])
    turn: Turn | None = None
    mode: Mode = EXACT
    before: Kernel | None = None
    seen: Mapping[Node, SeenTypes] = field(default_factory=dict[Node, SeenTypes])
    watched: Callable[[Node], Sequence[Node]] = lambda loop: (loop,)
    unset: set[Value] = field(default_factory=set[Value])
    kernels: list[Kernel] = field(default_factory=list[Kernel])
    refused: list[Reason] = field(default_factory=list[Reason])

    def block(self, block: Block) -> Block:
        """The block of a program with kernels in it; the same one where nothing has a lowered form."""
        self.unset.update(unset_values(block))
        return self._block(block, runs_of_program(block, self.mode.exact))

    def _block(self, block: Block, found: Iterable[Run]) -> Block:
        around = BlockAround.of(block)
        nodes = [node for run in found for node in self._run(run, around)]
        return Block(block.inputs, tuple(nodes), block.outputs)

    def _run(self, run: Run, around: BlockAround) -> Iterator[Node]:
        """A run, as a kernel or with kernels in it."""
        if not run.may_be_kernel:
            yield from map(self._inside, run.nodes)
            return
        part = self
        try:
            seam, lowered = self._lowered(run, around)
        except Unlowered as refusal:
            exactly = self._lowered_exactly(run, around)
            if exactly is None:
                yield from self._cut(run, around, refusal)
                return
            part, seam, lowered = exactly
        kernel = part._kernel(lowered, seam)
        yield from _called(seam, lowered, kernel, part._otherwise(run, around, kernel))

    def _exact(self) -> Partition:
        """The same for kernels that give NumPy's bits: complex numbers, for one, have no other form."""
        return replace(self, mode=replace(self.mode, exact=True))

    def _lowered_exactly(self, run: Run, around: BlockAround) -> tuple[Partition, Seam, LoweredBlock] | None:
        """Return the lowered form that gives NumPy's bits, where a run that need not be exact has no other."""
        if self.mode.exact:
            return None
        exact = self._exact()
        try:
            return exact, *exact._lowered(run, around)
        except Unlowered:
            return None

    def _lowered(self, run: Run, around: BlockAround) -> tuple[Seam, LoweredBlock]:
        """A run, and its lowered form: with the sizes of arrays that it needs, if these have one.

        Raises:
            Unlowered: it has none.
        """
        for first in dict.fromkeys((sizes_of(run.nodes, around), ())):
            seam = seam_of(run.nodes, around, first)
            self._refuse_unset(run, seam)
            try:
                return seam, self._lowered_block(seam.block)
            except Unlowered as refusal:
                if not first:
                    refusal.place = None if refusal.place is None else seam.places[refusal.place]
                    raise
        raise AssertionError

    def _refuse_unset(self, run: Run, seam: Seam) -> None:
        """Leave out a node that hands on a value from outside which may not be there yet: it is no array, nor a number.

        Raises:
            Unlowered: there is one.
        """
        unset = self.unset.intersection(seam.block.inputs)
        for place, node in enumerate(run.nodes) if unset else ():
            if not unset.isdisjoint(node.inputs):
                refusal = Unlowered("a value that may not be there yet", node.location)
                refusal.place = place
                raise refusal

    def _lowered_block(self, block: Block, sizes: Sizes = NO_SIZES, written_out: bool = True) -> LoweredBlock:
        """The lowered form of a block for arguments of some sizes; with products of few numbers written out, or as calls."""
        orders = _known_order if written_out else no_orders
        return lower(block, exact=self.mode.exact, fuse=not self.mode.parallel, sizes=sizes, orders=orders)

    def _cut(self, run: Run, around: BlockAround, refusal: Unlowered) -> Iterator[Node]:
        """A run without the node that stands in the way: what is before it and behind it."""
        place = refusal.place
        stands = run.nodes[place or 0]
        if len(run.nodes) == 1 and (by_looking := self._by_looking(stands)):
            yield from by_looking
            return
        has_loop = any(node.op in LOOPS for node in ([stands] if place is not None else run.nodes))
        if has_loop and not self._will_be_seen(stands, around):
            self.refused.append(_reason(refusal, stands))
        if place is None:
            yield from map(self._inside, run.nodes)
            return
        for one in runs_of(run.nodes[:place], self.mode.exact):
            yield from self._run(one, around)
        alone = Run((stands,), stands.op in LOOPS and len(run.nodes) > 1)
        yield from self._run(alone, around)
        for one in runs_of(run.nodes[place + 1 :], self.mode.exact):
            yield from self._run(one, around)

    def _will_be_seen(self, loop: Node, around: BlockAround) -> bool:
        """Return whether a loop may have a kernel once it is known with which types it is entered."""
        entry = LoopEntry.of(loop, around.counts, around.makers)
        is_seen = loop in self.seen and self.seen[loop].was_entered
        return self.judged and not is_seen and bool(entry.unknown) and may_be_narrowed(loop)

    def _by_looking(self, loop: Node) -> Sequence[Node]:
        """A loop whose inputs may be anything: watched until it is entered, then for the types that it was entered with; nothing for others."""
        seen = self.seen.get(loop)
        if seen is None:
            return ()
        return self._for_seen(loop, seen) if seen.was_entered else self.watched(loop)

    def _for_seen(self, loop: Node, seen: SeenTypes) -> Sequence[Node]:
        """A loop with kernels for the types that it was entered with, and as it is for any other; nothing where that is of no use."""
        bare = without_checks(loop)
        if not seen.known or bare is None:
            return ()
        alone, conditions = bare
        entry = seen.entry
        try:
            block = narrowed((*entry.nodes[:-1], alone), entry.inputs, seen.known)
        except NotNarrowed:
            return ()
        # an unknown call in the loop might change what is tested in front of it
        if not leaves_outside_alone(block):
            return ()
        before = len(self.kernels)
        self.unset.update(unset_values(block))
        parted = self._block(block, runs(block, self.mode.exact))
        return _tested(entry, conditions, parted) if len(self.kernels) > before else ()

    def _inside(self, node: Node) -> Node:
        """A node with kernels in its regions."""
        regions = (self._block(region, runs(region, self.mode.exact)) for region in node.regions)
        return replace(node, regions=tuple(regions)) if node.regions else node

    def _otherwise(self, run: Run, around: BlockAround, kernel: Kernel) -> Sequence[Node]:
        """The nodes of a run for where its kernel gives up: loops beside other code have kernels of their own.

        Where one that need not be exact was too far from NumPy's results, or slower, an exact one is tried.
        """
        if self.judged and not self.mode.exact:
            return list(replace(self._exact(), before=kernel)._run(run, around))
        if is_one_loop(run):
            return run.nodes
        alone = replace(self, refused=[], before=kernel)  # a kernel has these loops already
        found: list[Node] = []
        for node in run.nodes:
            found += alone._run(Run((node,), True), around) if node.op in LOOPS else [node]
        return found

    def _kernel(self, lowered: LoweredBlock, seam: Seam) -> Kernel:
        block = seam.block
        number = f"_{len(self.kernels) + 1}" if self.kernels else ""
        source = write(lowered, f"{self.name}_kernel{number}", parallel=self.mode.parallel)
        judge = Judge(block, source.name, self.file, self.module, self.mode) if self.judged else None
        own = [node for node in block.nodes[seam.first :] if is_array_code(node)]
        own = [
            node for node in own if node.location is not None
        ] or own  # a list for a list from outside has no line
        what = "the loop" if len(own) == 1 and own[0].op in LOOPS else "the array code"
        location = own[0].location
        kernel = Kernel(
            *(lowered, source, self.file, self.compiled, judge, location, what, self.turn),
            mode=self.mode,
            before=self.before,
            lower=lambda sizes, written_out: self._lowered_block(block, sizes, written_out),
        )
        self.kernels.append(kernel)
        return kernel


def _known_order(place: int) -> int:
    """Return in which order few products are added up in this process; that it is not known where there is no machine code."""
    try:
        return imported("symbols").known_order(place)
    except Uncompiled:
        return UNKNOWN


def _called(seam: Seam, lowered: LoweredBlock, kernel: Kernel, otherwise: Sequence[Node]) -> list[Node]:
    """The call of a kernel, and the nodes for where it gives up."""
    inputs, outputs = seam.block.inputs, seam.block.outputs
    location = seam.block.nodes[seam.first].location
    done = Value(BOOL, "done")
    given: dict[Operand, Operand] = {}
    own: list[Value] = []
    for result, output in zip(lowered.results, outputs, strict=True):
        if result.argument is not None:
            given[output] = inputs[result.argument]
            continue
        assert isinstance(output, Value)
        own.append(Value(result.spec, output.name))
        given[output] = own[-1]
    call: list[Node] = []
    asked = *_entry(seam, kernel), *inputs
    if own:
        whole = Value(ANY)
        call.append(Node("call", asked, (whole,), location=location))
        call.append(Node("unpack", (whole,), (done, *own), location=location))
    else:
        call.append(Node("call", asked, (done,), location=location))
    regions = _again(seam, given), _region(otherwise, seam.outputs, {})
    choice = Node("cond", (done,), seam.outputs, {}, regions, location)
    return [*call, closed(Block((), (choice,), ())).nodes[0]]


def _entry(seam: Seam, kernel: Kernel) -> tuple[Operand, ...]:
    """Return what is called with the arguments of a kernel: the kernel, or a test of what is stored behind it, with the owners."""
    if not seam.stores:
        return (Constant(kernel.entry),)
    stores = [last.store for last in seam.stores]
    owners = list(dict.fromkeys(store.owner for store in stores))
    places = StorePlaces.of((owners.index(store.owner), store.op, store.name) for store in stores)
    entry = entry_with_stores(kernel.entry, kernel.nothing, places, len(owners))
    return Constant(entry), *owners


def _tested(entry: LoopEntry, conditions: Sequence[Condition], narrow: Block) -> list[Node]:
    """The test that a loop is entered with some types, the block for these, and the loop itself for any other.

    The inputs of the block are those of the entry, in order.
    """
    loop = entry.nodes[-1]
    test = type_test([value.spec for value in narrow.inputs], conditions)
    looked_at = [operand for one in conditions for operand in one.operands]
    given = dict.fromkeys(one for one in (*entry.inputs, *loop.inputs) if isinstance(one, Value))
    fits, same = Value(BOOL, "fits"), [Value(value.spec, value.name) for value in given]
    otherwise = _region((loop,), loop.outputs, dict(zip(given, same, strict=True)))
    regions = (
        replace(narrow, inputs=(*narrow.inputs, *(Value(value.spec) for value in same[len(entry.inputs) :]))),
        replace(otherwise, inputs=tuple(same)),
    )
    return [
        Node("call", (Constant(test), *entry.inputs, *looked_at), (fits,), location=loop.location),
        Node("cond", (fits, *given), loop.outputs, {}, regions, loop.location),
    ]


def _again(seam: Seam, given: Mapping[Operand, Operand]) -> Block:
    """The branch for a kernel that has come to its end: its outputs, and views that are made again."""
    nodes = [
        replace(node, inputs=tuple(seam.sources.get(operand, operand) for operand in node.inputs))
        for node in seam.again
    ]
    outputs = tuple(seam.sources.get(output, output) for output in seam.outputs)
    return _region(nodes, outputs, dict(given))


def _region(nodes: Sequence[Node], outputs: Sequence[Operand], names: dict[Operand, Operand]) -> Block:
    """A branch that gives the outputs of a run: nodes whose values have other names than those around.

    Args:
        nodes: the nodes.
        outputs: of the run.
        names: the operands that stand for others.
    """
    found: list[Node] = []
    for node in nodes:
        inputs = tuple(names.get(operand, operand) for operand in node.inputs)
        own = tuple(Value(output.spec, output.name) for output in node.outputs)
        names.update(zip(node.outputs, own, strict=True))
        found.append(replace(node, inputs=inputs, outputs=own))
    return Block((), tuple(found), tuple(names.get(output, output) for output in outputs))


def _reason(refusal: Unlowered, stands: Node) -> Reason:
    """What keeps a loop from being machine code: of a value of unknown type, what gives it."""
    is_unknown = refusal.message == type_in_words(ANY)
    message, location = (unknown_in_words(stands) if is_unknown else None) or (
        refusal.message,
        refusal.location,
    )
    return Reason("AT307", message, location or stands.location)
