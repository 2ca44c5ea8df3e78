"""An attacker as a process of its own: `python bench/attacker.py NAME ADDRESS [GAME]`.

It reads how many seconds to attack from its input, a number a line, and prints what came of it as JSON, a line each
time. It gives way to the server: whoever attacks from another machine does not take the server's processor.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from importlib import import_module

from attacking import ATTACKS, Field


async def main() -> None:
    name, address, *target = sys.argv[1:]
    os.nice(10)
    logging.getLogger("asyncio").setLevel(
        logging.ERROR
    )  # that the server closes connections is what is expected
    for module in ("attacks_on_games", "attacks_on_requests"):
        import_module(module)  # notes its attacks
    field = Field(address, target=target[0] if target else "")
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        field.seconds = float(line)
        field.begin()
        await ATTACKS[name](field)
        if field.seconds == 0:
            field.found.clear()  # it was only to prepare what the attack needs
        print(json.dumps(field.found), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
