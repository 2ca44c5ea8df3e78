"""The image: its packages are named with their hashes, all of ours are among them, and what it copies is sent along."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9_.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def test_the_lock_file_has_every_package_with_a_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {
        name_of(one) for one in (*project["dependencies"], *project["optional-dependencies"]["postgres"])
    }
    blocks = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text())
    locked = {name_of(block): block for block in blocks if "==" in block}
    assert wanted <= set(locked)
    assert [name for name, block in locked.items() if "--hash=sha256:" not in block] == []
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert "--require-hashes -r requirements.lock" in dockerfile


def test_what_the_image_copies_is_not_ignored() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    copied = {
        name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.M) for name in line.split()
    }
    sent = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.M))
    assert [name for name in copied if name not in sent and name.partition("/")[0] not in sent] == []
    assert [name for name in copied if not (ROOT / name).exists()] == []
