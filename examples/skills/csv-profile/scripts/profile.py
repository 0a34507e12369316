#!/usr/bin/env python3
"""Profile a CSV file: one line for each column."""
import csv
import sys
from datetime import date


def kind(value):
    for name, parse in (("int", int), ("float", float), ("date", date.fromisoformat)):
        try:
            parse(value)
            return name
        except ValueError:
            pass
    return "text"


def main(path):
    with open(path, newline="", encoding="utf-8-sig") as f:
        rows = csv.DictReader(f)
        columns = {name: [] for name in rows.fieldnames or []}
        count = 0
        for row in rows:
            count += 1
            for name in columns:
                columns[name].append((row[name] or "").strip())
    print(f"{count} rows, {len(columns)} columns")
    for name, values in columns.items():
        filled = [v for v in values if v]
        kinds = sorted({kind(v) for v in filled}) or ["empty"]
        key = float if set(kinds) <= {"int", "float"} else str
        low, high = (min(filled, key=key), max(filled, key=key)) if filled else ("", "")
        print(f"{name}: {'+'.join(kinds)}, {len(values) - len(filled)} empty, {len(set(filled))} distinct, {low!r} to {high!r}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: profile.py FILE.csv")
    main(sys.argv[1])
