"""The verdict a test program carries in the comment at its head; README.md of this directory describes the words."""

import re
from dataclasses import dataclass, field
from pathlib import Path

LINE = re.compile(r"^// ([A-Z_]+)\s*(.*)$")
REQUIRED = ("WHAT", "EXPECT", "WITHIN")


@dataclass
class Program:
    source: Path
    name: str
    flags: list[str] = field(default_factory=list)  # of this variant
    build: list[str] = field(default_factory=list)  # instead of -O1
    link: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)  # empty: must never fail
    strategy: str = "portfolio"
    runs: int = 0  # 0: no test hunts it, only bench/strategies does
    seed: int = 1
    replays: int = 0
    engine: str = ""
    level: str = ""
    options: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)  # CLASS, MIN_PREEMPTIONS, DECISIVE, PUBLISHED, …

    @property
    def published(self) -> str | None:
        """The row of the published tables that this program stands for."""
        name = self.labels.get("PUBLISHED")
        return self.name if name == "yes" else name


def fields(source: Path) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for line in source.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        match = LINE.match(line)
        if match:
            found.append((match[1], match[2].strip()))
        elif found:  # a continued line
            found[-1] = (found[-1][0], found[-1][1] + " " + line[2:].strip())
    return found


def programs(source: Path) -> list[Program]:
    """One program, or one for each VARIANT line. Raises ValueError with the file's name when the head is wrong."""
    lines = fields(source)
    table = dict(lines)
    missing = [word for word in REQUIRED if word not in table]
    if missing:
        raise ValueError(f"{source}: no {', '.join(missing)} in the comment at its head")

    base = Program(source, source.stem if "correct" not in source.parts else f"correct_{source.stem}")
    base.build = table.get("BUILD", "").split()
    base.link = table.get("LINK", "").split()
    base.engine = table.get("ENGINE", "")
    base.level = table.get("LEVEL", "")
    base.options = table.get("OPTIONS", "").split()
    base.labels = table

    expect = table["EXPECT"].split()
    if expect[0] == "failure" and len(expect) > 1:
        base.kinds = expect[1].split("|")
    elif expect != ["pass"]:
        raise ValueError(f"{source}: EXPECT is neither `pass` nor `failure KIND`")

    if table["WITHIN"] != "none":
        words = table["WITHIN"].split()
        if len(words) % 2:
            raise ValueError(f"{source}: WITHIN is neither `none` nor pairs of a word and a value")
        within = dict(zip(words[::2], words[1::2]))
        base.strategy = within.get("strategy", base.strategy)
        base.runs = int(within["runs"])
        base.seed = int(within.get("seed", "1"))
    if "REPLAYS" in table:
        base.replays = int(table["REPLAYS"].split("/")[1])

    variants = [value.split() for word, value in lines if word == "VARIANT"]
    if not variants:
        return [base]
    return [Program(**{**base.__dict__, "name": words[0], "flags": words[1:]}) for words in variants]


def corpus(root: Path) -> list[Program]:
    sources = sorted(p for p in root.rglob("*") if p.suffix in {".c", ".cpp"})
    return [program for source in sources for program in programs(source)]
