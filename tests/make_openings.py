"""Takes documents of ``hextui openings SIZE --fresh --json`` into the table of solved openings.

    python -m tests.make_openings FILE ...

What an opening took is that of the last document that decides it; what contradicts is refused.
"""

import json
import sys
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.solver.opening_map import TABLE


def main() -> None:
    sizes = json.loads(TABLE.read_text())
    for file in sys.argv[1:]:
        document = json.loads(Path(file).read_text())
        size = str(Board(document["size"]["rows"], document["size"]["columns"]))
        rows = sizes.setdefault(size, {})
        for row in document["openings"]:
            if row["winner"] is None or row["source"] == "table":
                continue
            before = rows.get(row["opening"], [row["winner"]])[0]
            if before != row["winner"]:
                raise SystemExit(f"{file}: {size} {row['opening']}: the table says {before}")
            rows[row["opening"]] = [row["winner"], row["nodes"], round(row["seconds"], 2)]
    lines = [
        f"{json.dumps(size)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
        + "\n}"
        for size, rows in sizes.items()
    ]
    TABLE.write_text("{" + ",\n".join(lines) + "}\n")


if __name__ == "__main__":
    main()
