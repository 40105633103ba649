"""A pseudo terminal with a small screen of our own, for tests of what stands on it while satabench
runs and after."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time

import harness

CODE = re.compile(r"\x1b\[(\d*)([A-Za-z])")
KEPT = re.compile(r"satabench: result kept in \S+")
BASE = ("--baseline", "0", "--rounds", "1")


class Screen:
    """A terminal that wraps its lines anew when its width changes, as the usual ones do; what
    was scrolled out does not come back when it grows. Knows what the display may use: cursor up,
    erase to the end of line and screen, colour."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines, self.line, self.at = [""], 0, 0
        self.top = 0  # first line that is not scrolled out of the window, where nothing reaches it
        self.rest, self.coloured = "", 0

    def heights(self):
        return [max(1, -(-len(text) // self.columns)) for text in self.lines]

    def scroll(self):
        heights = self.heights()
        while sum(heights[self.top:self.line + 1]) > self.rows:
            self.top += 1

    def up(self, n):
        heights = self.heights()
        row = sum(heights[:self.line]) + self.at // self.columns
        row = max(row - n, sum(heights[:self.top]))
        self.line = 0
        while row >= heights[self.line] and self.line + 1 < len(heights):
            row -= heights[self.line]
            self.line += 1
        self.at = row * self.columns

    def put(self, text):
        old = self.lines[self.line].ljust(self.at)
        self.lines[self.line] = old[:self.at] + text + old[self.at + len(text):]
        self.at += len(text)

    def code(self, number, letter):
        if letter == "A":
            self.up(int(number or 1))
        elif letter == "K":
            self.lines[self.line] = self.lines[self.line][:self.at]
        elif letter == "J":
            self.lines[self.line] = self.lines[self.line][:self.at]
            del self.lines[self.line + 1:]
        elif letter == "m":
            self.coloured += 1
        else:
            raise AssertionError(f"escape code ESC [ {number} {letter}")

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        while text:
            if text[0] == "\x1b":
                found = CODE.match(text)
                if not found:
                    self.rest = text  # more will come
                    return
                self.code(*found.groups())
                text = text[found.end():]
                continue
            if text[0] == "\r":
                self.at -= self.at % self.columns
            elif text[0] == "\n":
                self.line += 1
                self.at = 0
                if self.line == len(self.lines):
                    self.lines.append("")
                self.scroll()
            else:
                plain = re.match(r"[^\x00-\x1f\x7f]+", text)
                if not plain:
                    raise AssertionError(f"control character {text[0]!r}")
                self.put(plain.group())
                text = text[plain.end():]
                continue
            text = text[1:]

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.scroll()

    def shown(self):
        return [text.rstrip() for text in self.lines if text.strip()]

    def visible(self):
        return [text.rstrip() for text in self.lines[self.top:] if text.strip()]


class Terminal(harness.Case):
    always = ()  # options of every run

    def setUp(self):
        super().setUp()
        self.env["TERM"] = "xterm"
        self.env["LC_ALL"] = "C.UTF-8"

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if self.screen:
            self.screen.resize(rows, columns)

    def begin(self, *words, rows=24, columns=80, **how):
        self.master, slave = pty.openpty()
        self.addCleanup(os.close, self.master)
        self.screen = None
        self.resize(rows, columns)
        self.screen = Screen(rows or 24, columns or 80)
        self.raw = ""
        self.process = self.start(*self.always, *words, "--save", self.saved,
                                  preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0),
                                  **{"stdin": slave, "stdout": slave, "stderr": slave, **how})
        os.close(slave)

    def read(self, seconds):
        """Feeds the screen; False when the terminal has been left by all."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536).decode("utf-8", "replace")
        except OSError:
            return False
        self.raw += data
        self.screen.feed(data)
        return bool(data)

    def until(self, found, limit=harness.LIMIT_S):
        end = time.monotonic() + limit
        while not found():
            self.assertTrue(self.read(0.1) or found(), "\n".join(self.screen.shown()))
            self.assertLess(time.monotonic(), end, "\n".join(self.screen.shown()))

    def end(self, status=0):
        while self.read(1) or self.process.poll() is None:
            self.assertLess(time.monotonic() - self.process.started, harness.LIMIT_S)
        wanted = status if isinstance(status, tuple) else (status,)
        self.assertIn(self.process.wait(), wanted, self.raw)

    def display(self):
        """The lines of the display that stand now."""
        return [line for line in self.screen.shown() if "MB/s" in line]

    def shows(self, *names):
        return lambda: all(any(name in line for line in self.display()) for name in names)

    def report_only(self, *also):
        """What is left is the report, and the messages that were to be said."""
        report = self.run_("report", self.saved).out.splitlines()
        left = [line for line in self.screen.shown() if not KEPT.match(line)
                and not line.startswith("satabench: ") and line != "^C"]
        self.assertEqual(left, [line.rstrip() for line in report if line.strip()])
        for text in also:
            self.assertTrue(any(text in line for line in self.screen.shown()), text)
