"""The table as Markdown, and the machine it is from."""
import datetime
import os
import pathlib
import platform
import re
import subprocess

BEGIN, END = "<!-- begin: written by scripts/bench -->", "<!-- end -->"


def first_line(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
    except FileNotFoundError:
        return command[0] + ": not there"
    return (done.stdout.strip().splitlines() or ["?"])[0]


def machine():
    model = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    virtual = first_line("systemd-detect-virt")
    tools = [first_line("fio", "--version"), first_line("dd", "--version"),
             first_line("hdparm", "-V"), first_line("iostat", "-V")]
    return [
        "%s, %d CPUs, %.0f GiB of memory%s, %s" % (
            model[1] if model else platform.machine(), os.cpu_count(), memory,
            "" if virtual in ("none", "?") or "not there" in virtual else " (" + virtual + ")",
            platform.system() + " " + platform.release()),
        "Peers: " + ", ".join(tools),
    ]


def number(value):
    if value is None:
        return "-"
    if abs(value) >= 100:
        return "{:,.0f}".format(value)
    return "%.*f" % (4 if abs(value) < 0.1 else 3 if abs(value) < 1 else 2, value)


def row_of(entry):
    sense = "≤" if entry.sense == "<=" else "≥"
    met = {True: "yes", False: "**no**", None: "-"}[entry.is_met]
    ratio = "" if entry.absolute else number(entry.compared)
    return "| %s | %s | %s | %s | %s | %s | %s %s | %s |" % (
        entry.what, entry.unit, entry.peer, number(entry.peer_value), number(entry.value), ratio,
        sense, number(entry.bar).rstrip("0").rstrip("."), met)


def markdown(lines, missing, disturbed, command):
    out = ["Measured on %s by `%s`:" % (datetime.date.today().isoformat(), command), ""]
    out += ["- " + fact for fact in machine()]
    out += ["", "| what | unit | best peer | peer | satabench | ratio | bar | met |",
            "|---|---|---|---:|---:|---:|---:|---|"]
    out += [row_of(entry) for entry in lines]
    if missing:
        out += ["", "Not measured:", ""] + ["- %s: %s" % pair for pair in missing]
    if disturbed[0]:
        out += ["", "Other load on the machine disturbed %d of %d measurements." % disturbed]
    met = [entry.is_met for entry in lines]
    out += ["", "%d bars met, %d missed, %d not measured." % (
        met.count(True), met.count(False), met.count(None) + len(missing))]
    return "\n".join(out) + "\n"


def write(path, text):
    """Puts the text between the two marks of a file that has them; else it is the whole file."""
    block = BEGIN + "\n" + text + END + "\n"
    path = pathlib.Path(path)
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if BEGIN in old and END in old:
        before, rest = old.split(BEGIN, 1)
        block = before + block + rest.split(END, 1)[1].lstrip("\n")
    path.write_text(block, encoding="utf-8")
