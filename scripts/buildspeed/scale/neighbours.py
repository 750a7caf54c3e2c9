"""The code with which a copy uses other copies: a service that it needs, and a route that it opens."""

from __future__ import annotations

from collections.abc import Sequence

from buildspeed.failures import MeasurementError

# Of the original module, relative to its implementation's folder.
FEATURE = "OverviewFeature.swift"
NEIGHBOURS = "Neighbours.swift"

_NEEDS = "    @Dependency var sessions: any Login.Sessions\n"
_CONTENT = "{ model.content }"
_IMPORT = "import RouterServiceInterface\n"


def feature_with_neighbours(text: str, module: str, used: Sequence[int]) -> str:
    """The feature of a screen, which needs the services of the copies that it uses and hands them to its content.

    Raises `MeasurementError` where the feature is not as it was when this was written.
    """
    for anchor in (_NEEDS, _CONTENT, _IMPORT):
        if text.count(anchor) != 1:
            raise MeasurementError(
                f"{FEATURE} of the module {module} does not hold {anchor.strip()!r} exactly once, where the copies of "
                "the module are made to use one another. Bring scripts/buildspeed/scale/neighbours.py up to date."
            )
    needs = "".join(f"    @Dependency var {_service(each)}: any {module}{each}.Service\n" for each in used)
    services = ", ".join(map(_service, used))
    text = text.replace(_NEEDS, _NEEDS + needs)
    text = text.replace(_CONTENT, f"{{ model.content(beside: {services}) }}")
    return text.replace(_IMPORT, "".join(f"import {module}{each}Interface\n" for each in used) + _IMPORT)


def neighbours_file(module: str, number: int, used: Sequence[int]) -> str:
    """A file that adds to the screen of a copy what the services of others know of the person, and the ways there."""
    imports = "".join(f"import {module}{each}Interface\n" for each in sorted([*used, number]))
    parameters = ", ".join(
        f"{'beside' if each == used[0] else '_'} {_service(each)}: any {module}{each}.Service" for each in used
    )
    rows = "".join(
        f"            row({_service(each)}.known(person)?.displayName, to: {module}{each}.Overview(user: person)),\n"
        for each in used
    )
    return f"""\
import DisplayInterface
{imports}import RouterServiceInterface

extension OverviewModel{number} {{
    /// The profile as it looks now, with the ways to the same person in the modules that this one uses.
    func content({parameters}) -> Display.Content {{
        let shown = content
        guard let person = user?.id else {{ return shown }}
        let rows: [Display.Element] = [
{rows}        ]
        return Display.Content(title: shown.title, elements: shown.elements + rows)
    }}

    private func row(_ name: String?, to route: any Route) -> Display.Element {{
        .row(Display.Row("\\(route)", detail: name) {{ try await self.follow(AnyRoute(route)) }})
    }}
}}
"""


def _service(number: int) -> str:
    return f"profiles{number}"
