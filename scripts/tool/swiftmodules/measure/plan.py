"""What a run measures, as it is sent to the machines that build."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from swiftmodules.edits.catalogue import Key
from swiftmodules.edits.history import Choice
from swiftmodules.measure.record import BUILT, BY_HAND, Cell, Sample, Variant
from swiftmodules.options import Until

# The layout of a live session, in which modules of the layout `interface` are replaced in the running program.
LIVE = "live"
LIVE_MEANING = "a live session of the layout `interface`, in which modules are replaced in the running program"


class Plan(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The choices that decide what is built. `edits` and `modules` are as the user typed them."""

    layouts: tuple[str, ...]
    copies: tuple[int, ...] = (0,)
    settings: tuple[str, ...] = ("default",)
    edits: tuple[str, ...]
    modules: tuple[str, ...] = ()
    until: tuple[Until, ...] = ("built",)
    jobs: int | None = None
    # Whether the files that are compiled are counted, with the reasons, and nothing is timed.
    counts: bool = False
    # Whether the layout `interface` is a copy of the package, where that is decided.
    as_it_is: bool | None = None
    # Edits that do not compile.
    missing: tuple[tuple[Key, str], ...] = ()
    # The commits that are the edits.
    history: Choice | None = None

    @property
    def variants(self) -> list[Variant]:
        """Everything that is built again and again, the baseline first."""
        return [
            Variant(layout=layout, copies=copies, setting=setting)
            for copies in self.copies
            for setting in self.settings
            for layout in self.layouts
        ]

    @property
    def repeats_builds(self) -> bool:
        """Whether the work of builds is done again by hand. Beside live sessions, only theirs is."""
        return BY_HAND in self.until and LIVE not in self.layouts


class Step(Variant, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a round does: an edit in a variant, or in the second build of the baseline."""

    edit: str
    module: str | None = None
    control: bool = False

    @classmethod
    def of(cls, variant: Variant, edit: str, module: str | None, control: bool = False) -> Step:
        """An edit in a variant."""
        return cls(**asdict(variant.variant), edit=edit, module=module, control=control)

    @property
    def key(self) -> Key:
        return self.edit, self.module

    @property
    def name(self) -> str:
        return f"{self.cell().name}{' (control)' if self.control else ''}"

    def cell(self, until: Until = BUILT) -> Cell:
        """The coordinates of its sample."""
        return Cell(**asdict(self.variant), edit=self.edit, module=self.module, until=until)


def step_of(sample: Sample) -> Step:
    """The step that gave a sample."""
    return Step.of(sample.variant, sample.edit, sample.module, sample.control)
