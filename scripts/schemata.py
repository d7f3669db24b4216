"""Shared by planted and mutants: a copy of this tree with many defects in it, each of which is off until it is chosen.

So one build serves for all of them. The copy stays, and only files that have changed are written to it, so the next build
compiles only what follows from these.
"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The variable of the environment that chooses a defect.
VARIABLE = "PLANTED"
# The variable that names a file with a byte for each number in a switch's name. The switch sets it when it is asked.
REACHED = "PLANTED_REACHED"
# Without them, what the compiler optimises away could not be reached by the tests.
FLAGS = ["-c", "release", "-Xswiftc", "-enable-testing"]
# The program of all tests, in SwiftPM's words.
TESTS = "positiondPackageTests"

# In each module with defects. It is compared with lengths first, since nearly all lengths differ.
SWITCH = """\
import Glibc

/// Which defect was chosen.
enum Planted {
  private static let chosen = unsafe getenv("%s").map { unsafe Array(String(cString: $0).utf8) } ?? []
  /// Which switches were asked, in a file that others read; nil: nobody wants to know.
  nonisolated(unsafe) private static let reached: UnsafeMutableRawBufferPointer? = unsafe open()

  static func `is`(_ name: StaticString) -> Bool {
    if let reached = unsafe Self.reached {
      let number = name.withUTF8Buffer { bytes in
        var number = 0
        for unsafe byte in unsafe bytes where (48...57).contains(byte) { number = 10 * number + Int(byte) - 48 }
        return number
      }
      if number < reached.count { unsafe reached[number] = 1 }
    }
    guard name.utf8CodeUnitCount == Self.chosen.count else { return false }
    return name.withUTF8Buffer { unsafe $0.elementsEqual(Self.chosen) }
  }

  private static func open() -> UnsafeMutableRawBufferPointer? {
    guard let path = unsafe getenv("%s") else { return nil }
    let file = unsafe Glibc.open(path, O_RDWR)
    let size = Int(lseek(file, 0, SEEK_END))
    guard size > 0 else { return nil }
    let start = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
  }
}
""" % (VARIABLE, REACHED)


class Failure(Exception):
    """What ends the script with a message."""


def read_tree():
    """Each file that belongs to the tree and is needed to build it, by its path, with its bytes."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "Package.swift", "Sources",
         "Tests", "Examples", "docs", "config", "man", "python"],
        cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.decode()
    files = {}
    for path in listed.split("\0"):
        if path and (ROOT / path).is_file():
            files[path] = (ROOT / path).read_bytes()
    return files


def with_tests(manifest, targets):
    """The manifest with no other targets of tests than these, so that no others are built.

    The optimiser would take longer for them than they run.
    """
    manifest = manifest.replace(
        "exclude: data, swiftSettings: settings(of: name),",
        'exclude: data, swiftSettings: settings(of: name) + [.unsafeFlags(["-Onone"])],')
    lines, call = [], None
    for line in manifest.splitlines(keepends=True):
        if call is None and not re.match(r" +tests\(", line):
            lines.append(line)
            continue
        call = (call or "") + line
        if call.count("(") + call.count("[") == call.count(")") + call.count("]"):
            if re.search(r'"(\w+)"', call).group(1) in targets:
                lines.append(call)
            call = None
    return "".join(lines)


class Copy:
    """A copy of the tree, in .build."""

    def __init__(self, name, flags=FLAGS):
        self.flags = flags
        self.folder = ROOT / ".build" / name
        self.tree = self.folder / "tree"
        self.log = self.folder / "build.log"
        self.tree.mkdir(parents=True, exist_ok=True)

    def write(self, files):
        """Makes the copy have these files and no others. Files that are so already keep their times."""
        for folder, names, found in os.walk(self.tree):
            if pathlib.Path(folder) == self.tree:
                names[:] = [name for name in names if name != ".build"]
            for name in found:
                path = pathlib.Path(folder, name)
                if str(path.relative_to(self.tree)) not in files and name != "Package.resolved":
                    path.unlink()
        for path, contents in files.items():
            target = self.tree / path
            if target.is_file() and target.read_bytes() == contents:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(contents)

    def build(self, *arguments):
        """Builds; returns what the compiler says if it fails, else None."""
        began = time.monotonic()
        swift = os.environ.get("SWIFT", "swift")
        built = subprocess.run(
            [swift, "build", *self.flags, *arguments], cwd=self.tree, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.log.write_text(built.stdout)
        print(f"built in {time.monotonic() - began:.0f} s", flush=True)
        return built.stdout if built.returncode != 0 else None

    @property
    def release(self):
        return self.tree / ".build" / "release"


class Ended:
    """How a program ended."""

    def __init__(self, output, status, seconds, is_late):
        self.output, self.status, self.seconds, self.is_late = output, status, seconds, is_late


def run(command, name, limit, folder, is_over=lambda: False, reached=None):
    """Runs a program in which a defect is chosen, None for none. A file gets a byte for each switch that it asks.

    It is ended after a limit of seconds of any clock, or when it is known that it is over.
    """
    environment = {key: value for key, value in os.environ.items() if key not in (VARIABLE, REACHED)}
    if name is not None:
        environment[VARIABLE] = name
    if reached is not None:
        environment[REACHED] = str(reached)
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        child = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        deadline, is_ended, is_late = time.monotonic() + limit, False, False
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if (time.monotonic() > deadline or is_over()) and not is_ended:
                is_ended, is_late = True, time.monotonic() > deadline
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
            time.sleep(0.02)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Ended(output.read(), child.returncode, usage.ru_utime + usage.ru_stime, is_late)


class Finding:
    """What a run of worlds has found."""

    def __init__(self, law, seed, seconds, text):
        self.law, self.seed, self.seconds, self.text = law, seed, seconds, text


def live(world, name, seconds, first=1):
    """Lives in worlds until a law breaks; returns the finding, or None."""
    ended = run(
        [world, "--from", str(first), "--seconds", str(seconds), "--stop-at-first"], name, 6 * seconds + 60,
        world.parent)
    begun = re.findall(r"^seed (\d+)$", ended.output, re.MULTILINE)
    seed = int(begun[-1]) if begun else first
    if broken := re.search(r"^seed (\d+): (\w+) at (.*)$", ended.output, re.MULTILINE):
        return Finding(broken.group(2), seed, ended.seconds, broken.group(3))
    if ended.is_late:
        return Finding("(it hangs)", seed, ended.seconds, "")
    if ended.status != 0:
        lines = [line for line in ended.output.splitlines() if "Fatal error" in line]
        return Finding("(it traps)", seed, ended.seconds, lines[0] if lines else f"status {ended.status}")
    return None


class Events:
    """The stream of events that Swift Testing writes to a file."""

    def __init__(self, path):
        self.path, self.place = path, 0
        self.begun, self.running, self.failed = 0, [], []

    def read(self):
        if not self.path.exists():
            return
        with self.path.open("rb") as stream:
            stream.seek(self.place)
            whole = stream.read().rpartition(b"\n")[0]
        self.place += len(whole) + (1 if whole else 0)
        for line in whole.splitlines():
            event = json.loads(line)
            if event["kind"] == "event":
                self.take(event["payload"])

    def take(self, event):
        test = re.sub(r"(\([^/]*\))?/[^/]*$", "", event.get("testID", ""))
        if event["kind"] == "testStarted" and "/" in test:
            self.begun += 1
            self.running.append(test)
        elif event["kind"] == "testEnded" and test in self.running:
            self.running.remove(test)
        elif event["kind"] == "issueRecorded" and test not in self.failed and not event["issue"].get("isKnown"):
            self.failed.append(test)

    def have_failed(self):
        self.read()
        return bool(self.failed)


def run_tests(copy, filters, name, limit, stops=False):
    """Runs the tests that a regular expression names.

    Returns those that failed, as Target.Suite/function; None if all passed. If it stops, it does so at the first that fails.
    """
    bundle = copy.release / f"{TESTS}.xctest"
    with tempfile.TemporaryDirectory() as folder:
        events = Events(pathlib.Path(folder, "events"))
        ended = run(
            [bundle, "--testing-library", "swift-testing", "--filter", filters, "--event-stream-version", "0",
             "--event-stream-output-path", events.path], name, limit, copy.tree,
            events.have_failed if stops else lambda: False)
        events.read()
    if events.failed:
        return events.failed
    if ended.is_late or ended.status < 0:
        return events.running or ["(nothing)"]
    if events.begun == 0:
        raise Failure(f"no test is named {filters}: {ended.output[-500:]}")
    return ["(nothing)"] if ended.status != 0 else None


def suites(copy):
    """Each suite of tests, as Target.Suite."""
    bundle = copy.release / f"{TESTS}.xctest"
    listed = run([bundle, "--testing-library", "swift-testing", "--list-tests"], None, 120, copy.tree).output
    return sorted(set(re.findall(r"^(\w+\.[\w.]+)/", listed, re.MULTILINE)))


def numbers_reached(command, limit, folder, count):
    """Runs a program; returns which of the switches 0 ..< count it asks, and how it ended."""
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place, "reached")
        path.write_bytes(bytes(count))
        ended = run(command, None, limit, folder, reached=path)
        return {number for number, byte in enumerate(path.read_bytes()) if byte}, ended


def several(work, items):
    """Does the work for each item, as many at a time as there are processors; yields the item and its result."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = [(item, pool.submit(work, item)) for item in items]
        for item, future in futures:
            yield item, future.result()


def main(work):
    """Runs the script; its failures are messages and no traces."""
    try:
        sys.exit(work())
    except Failure as failure:
        print(f"{pathlib.Path(sys.argv[0]).name}: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
