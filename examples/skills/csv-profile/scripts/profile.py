#!/usr/bin/env python3
"""Profile a CSV file: one line for each column, then the rows that look wrong.

usage: profile.py FILE.csv [--delimiter C] [--encoding NAME]

Without --delimiter, the first line decides between comma, semicolon, tab and bar.
Row numbers are those of a spreadsheet: the header is row 1.
"""
import argparse
import csv
import re
import sys
from collections import Counter

KINDS = [
    ("int", re.compile(r"[+-]?\d+")),
    ("float", re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?")),
    ("decimal-comma", re.compile(r"[+-]?\d+,\d+")),
    ("date", re.compile(r"\d{4}-\d{2}-\d{2}")),
    ("date-other", re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")),
]
SHOWN = 5  # rows named for each finding


def kind(value):
    for name, pattern in KINDS:
        if pattern.fullmatch(value):
            return name
    return "text"


def some(rows):
    text = ", ".join(str(r) for r in rows[:SHOWN])
    return text + (f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else "")


def column(name, cells, findings):
    """Describe one column; cells are (row, value) pairs."""
    filled = [(r, v) for r, v in cells if v]
    kinds = Counter(kind(v) for _, v in filled)
    count = Counter(v for _, v in filled)
    if {"int", "float"} <= set(kinds):  # 7 and 12.50 in one column are both numbers
        kinds["float"] += kinds.pop("int")
    numeric = bool(kinds) and set(kinds) <= {"int", "float"}
    values = [v for _, v in filled]
    key = float if numeric else str
    span = f", {min(values, key=key)!r} to {max(values, key=key)!r}" if values else ""
    types = " + ".join(f"{k} {n}" for k, n in kinds.most_common()) or "empty"
    print(f"{name}: {types}; {len(cells) - len(filled)} empty, {len(count)} distinct{span}")

    if len(kinds) > 1:
        usual = kinds.most_common(1)[0][0]
        fine = {"int", "float"} if usual == "float" else {usual}
        odd = [r for r, v in filled if kind(v) not in fine]
        findings.append(f"{name}: not {usual} in rows {some(odd)}")
    if filled and len(count) == 1 and len(filled) > 1:
        findings.append(f"{name}: the same value in every filled row")
    if len(filled) > 1 and len(count) < len(filled) and re.search(r"(^|_)(id|key|uuid)$", name, re.I):
        twice = [r for r, v in filled if count[v] > 1]
        findings.append(f"{name}: looks like a key, but rows {some(twice)} share a value")


def one_character(text):
    if len(text) != 1:
        raise argparse.ArgumentTypeError("must be one character")
    return text


def main():
    parser = argparse.ArgumentParser(description="Profile a CSV file column by column.")
    parser.add_argument("file")
    parser.add_argument("--delimiter", type=one_character)
    parser.add_argument("--encoding", default="utf-8-sig")
    args = parser.parse_args()

    with open(args.file, newline="", encoding=args.encoding) as f:
        first = f.readline()
        f.seek(0)
        delimiter = args.delimiter or max(",;\t|", key=first.count)
        reader = csv.reader(f, delimiter=delimiter)
        header = [h.strip() for h in next(reader, [])]
        rows = [(n, row) for n, row in enumerate(reader, start=2) if row]

    print(f"{len(rows)} rows, {len(header)} columns, delimiter {delimiter!r}")
    findings = []
    wrong = [n for n, row in rows if len(row) != len(header)]
    if wrong:
        findings.append(f"rows {some(wrong)}: not {len(header)} cells")
    for name, n in Counter(header).items():
        if n > 1:
            findings.append(f"{name or '(no name)'}: the name of {n} columns")
    for i, name in enumerate(header):
        column(name or f"(column {i + 1})", [(n, row[i].strip() if i < len(row) else "") for n, row in rows], findings)
    print("\nfindings:" if findings else "\nno findings")
    for text in findings:
        print(f"- {text}")


if __name__ == "__main__":
    try:
        main()
    except (OSError, UnicodeDecodeError, csv.Error) as err:
        sys.exit(f"profile.py: {err}")
