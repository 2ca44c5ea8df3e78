"""The docs as one site: README and docs pages together, with the reference made from docstrings.

    python tools/docs_site.py

It writes to build/site. A link that leads nowhere and a name that is not there are errors.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
STAGED = ROOT / "build" / "docs"


def stage() -> None:
    """Put all pages into one folder, as a site wants them; links follow."""
    shutil.rmtree(STAGED, ignore_errors=True)
    shutil.copytree(ROOT / "docs", STAGED, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(ROOT / "examples", STAGED / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for page, name in (("README", "index"), ("CONTRIBUTING", "CONTRIBUTING"), ("CHANGELOG", "CHANGELOG")):
        text = (ROOT / f"{page}.md").read_text(encoding="utf-8")
        (STAGED / f"{name}.md").write_text(text.replace("](docs/", "]("), encoding="utf-8")
    for path in STAGED.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        path.write_text(
            re.sub(r"\]\(\.\./(examples/|\w+\.md)", r"](\1", text) if path.parent == STAGED else text
        )


def build() -> int:
    """Make the site; how many warnings there were."""
    import logging

    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config
    from mkdocs.utils import CountHandler

    stage()
    counter = CountHandler()
    counter.setLevel(logging.WARNING)
    logging.getLogger("mkdocs").addHandler(counter)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    build_site(load_config(str(ROOT / "mkdocs.yml")))
    return sum(count for _, count in counter.get_counts())


if __name__ == "__main__":
    found = build()
    print(f"{found} warnings" if found else f"the site is in {ROOT / 'build' / 'site'}")
    sys.exit(1 if found else 0)
