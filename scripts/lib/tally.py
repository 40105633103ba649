#!/usr/bin/env python3
"""Counts meson's testlog.json and shows what a person needs of it.

usage: tally.py TESTLOG [FOLDER-OF-SANITIZER-REPORTS]

Prints the output of each test that failed, the reason of each that was skipped (the last line it
printed), each report of a sanitizer, and ends in "N passed, N failed, N skipped". The exit status
is 1 when something failed. Meson itself returns no count, and hides why a test was skipped.
"""
import json
import pathlib
import sys

SHOWN_LINES = 60
PASSED = ("OK", "EXPECTEDFAIL")


def tail(text):
    rows = text.rstrip().splitlines()
    cut = ["  ..."] if len(rows) > SHOWN_LINES else []
    return "\n".join(cut + ["  " + row for row in rows[-SHOWN_LINES:]])


def read_tests(path):
    with open(path, encoding="utf-8", errors="replace") as log:
        return [json.loads(line) for line in log if line.strip()]


def head(text):
    return "\n".join("  " + row for row in text.splitlines()[:SHOWN_LINES])


def is_report(text):
    """LeakSanitizer cannot work in a process that is traced, as some tests' programs are."""
    return bool(text.strip()) and "LeakSanitizer has encountered a fatal error" not in text


def main(argv):
    passed = failed = skipped = 0
    try:
        tests = read_tests(argv[0])
    except FileNotFoundError:
        tests = []
        failed += 1
        print("FAILED: no test was run")
    for test in tests:
        output = (test.get("stdout") or "") + (test.get("stderr") or "")
        if test["result"] in PASSED:
            passed += 1
        elif test["result"] == "SKIP":
            skipped += 1
            reason = output.strip().splitlines()
            print("skipped: %s: %s" % (test["name"], reason[-1] if reason else "no reason given"))
        else:
            failed += 1
            print("FAILED: %s (%s)" % (test["name"], test["result"]))
            print(tail(output))
    for path in sorted(pathlib.Path(argv[1]).iterdir()) if argv[1:] else []:
        text = path.read_text(encoding="utf-8", errors="replace")
        if is_report(text):
            failed += 1
            print("FAILED: a sanitizer's report")
            print(head(text))
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
