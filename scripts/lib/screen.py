"""A run on a real terminal (tmux), and such a screen as HTML."""

import html
import os
import re
import shlex
import subprocess
import tempfile
import time

COLUMNS, ROWS = 92, 19
# what tmux writes for a screen: colours of the standard sixteen, bold and dim
COLOURS = {"31": "#ff7b72", "33": "#e3b341", "36": "#56d4dd"}
STYLE = """
body { margin: 0; background: #0d1117; }
pre { display: inline-block; margin: 0; padding: 14px 18px; color: #d6dbe1; background: #0d1117;
  font: 14px/1.25 "DejaVu Sans Mono", monospace; }
"""


class Terminal:
    """A terminal of its own in which a command runs; it is left with the command."""

    def __init__(self, words, columns=COLUMNS, rows=ROWS):
        self.folder = tempfile.mkdtemp(prefix="satabench-screen-")
        self.socket = os.path.join(self.folder, "tmux")
        self.call("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                  f"env LC_ALL=C.UTF-8 {shlex.join(words)}; sleep 600")
        self.call("set", "-g", "status", "off")
        self.call("resize-window", "-x", str(columns), "-y", str(rows))

    def call(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], capture_output=True, text=True,
                              env=dict(os.environ, LC_ALL="C.UTF-8"), check=True).stdout

    def plain(self):
        return self.call("capture-pane", "-p")

    def coloured(self):
        return self.call("capture-pane", "-pe")

    def close(self):
        self.call("kill-server")
        subprocess.run(["rm", "-rf", self.folder], check=True)


def capture(words, pattern, limit_s):
    """The first screen, with its colours, on which the pattern is found."""
    terminal = Terminal(words)
    end = time.monotonic() + limit_s
    try:
        while time.monotonic() < end:
            text = terminal.coloured()
            if re.search(pattern, re.sub(r"\x1b\[[\d;]*m", "", text), re.M):
                return text
            time.sleep(0.1)
        raise TimeoutError(f"the screen never had {pattern}\n{terminal.plain()}")
    finally:
        terminal.close()


def style(codes, now):
    for code in codes.split(";"):
        if code in ("", "0"):
            now = {}
        elif code == "1":
            now = {**now, "font-weight": "bold"}
        elif code == "2":
            now = {**now, "color": "#7d8590"}
        elif code in COLOURS:
            now = {**now, "color": COLOURS[code]}
        elif code == "39":
            now = {key: value for key, value in now.items() if key != "color"}
    return now


def page(text):
    """The screen as a page, blank lines at its end cut."""
    parts, now = [], {}
    for codes, words in re.findall(r"(?:\x1b\[([\d;]*)m)?([^\x1b]*)", text.rstrip("\n ")):
        now = style(codes, now)
        look = ";".join(f"{key}:{value}" for key, value in now.items())
        parts.append(f'<span style="{look}">{html.escape(words)}</span>' if look
                     else html.escape(words))
    return (f'<!DOCTYPE html><meta charset="utf-8"><style>{STYLE}</style>'
            f'<pre>{"".join(parts)}</pre>')
