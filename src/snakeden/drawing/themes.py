"""The themes: which colours, patterns and letters the roles of a scene have, as `themes.toml` says."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Colours:
    """One role's colours; what each is for is said in `themes.toml`."""

    fill: str
    line: str
    tint: str
    mark: str
    lit: str


@dataclass(frozen=True)
class Theme:
    name: str
    ground: str
    roles: dict[str, Colours]

    def __getitem__(self, role: str) -> Colours:
        return self.roles[role]


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(files("snakeden.drawing").joinpath("themes.toml").read_text(encoding="utf-8"))


def theme_names() -> tuple[str, ...]:
    """The themes there are."""
    return tuple(name for name, table in _file().items() if "roles" in table)


@cache
def theme(name: str) -> Theme:
    """The theme of this name; raises ValueError."""
    if name not in theme_names():
        raise ValueError(f"there is no theme {name!r}; the themes are {', '.join(theme_names())}")
    table = _file()[name]
    roles = dict(theme(table["base"]).roles) if "base" in table else {}
    for role, c in table["roles"].items():
        fill, line = c["fill"], c["line"]
        roles[role] = Colours(fill, line, c.get("tint", fill), c.get("mark", line), c.get("lit", fill))
    return Theme(name, table["ground"], roles)


def patterns() -> dict[str, str]:
    """The pattern on the back of each role that has one."""
    return dict(_file()["patterns"])


def letters() -> dict[str, str]:
    """The letter that stands for each role of a snake in a terminal."""
    return dict(_file()["letters"])


def terminal_styles() -> dict[str, str]:
    """The style of each role in a terminal, in the words of Rich."""
    return dict(_file()["terminal"])


def style_sheet() -> str:
    """The themes for a page: classes `r-ROLE` that set --fill, --line, --tint, --mark, --lit and --text, in the
    theme that the system prefers or that `data-theme` on the root names."""

    def rules(name: str, root: str) -> str:
        chosen = theme(name)
        lines = [f"{root}{{--ground:{chosen.ground}}}"]
        for role, c in chosen.roles.items():
            text = c.line if name == "light" and role.startswith("seat") else c.fill
            lines.append(
                f"{root} .r-{role}{{--fill:{c.fill};--line:{c.line};--tint:{c.tint};--mark:{c.mark};"
                f"--lit:{c.lit};--text:{text}}}"
            )
        return "\n".join(lines)

    dark = rules("dark", ":root:not([data-theme=light])")
    return "\n".join(
        [
            rules("light", ":root"),
            f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}",
            rules("dark", ":root[data-theme=dark]"),
            "",
        ]
    )
