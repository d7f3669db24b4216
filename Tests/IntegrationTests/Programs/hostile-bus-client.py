#!/usr/bin/env python3
"""A program on the bus that does to GeoClue's interface whatever a program can do.

Usage: hostile-bus-client.py attack BUS SEED OTHER     as the hostile user; OTHER is another program's client object
       hostile-bus-client.py fill BUS UID...           as root: takes all client objects that these users may have

It writes its messages itself, because a library would refuse to. It prints one line of JSON: what it counted, and in
`differences` each promise of docs/geoclue.md and docs/limits.md that was not kept. It exits with 0 where there is none,
else with 1. The same seed makes the same calls.
"""

import array
import json
import os
import random
import select
import socket
import struct
import sys
import time

NAME = "org.freedesktop.GeoClue2"
ROOT = "/org/freedesktop/GeoClue2"
MANAGER = ROOT + "/Manager"
PROPERTIES = "org.freedesktop.DBus.Properties"
INTROSPECTABLE = "org.freedesktop.DBus.Introspectable"
CALL, RETURN, ERROR, SIGNAL = 1, 2, 3, 4
NO_REPLY, NO_START = 1, 2
CLEAR = [
    "AccessDenied", "Failed", "InvalidArgs", "LimitsExceeded", "NotSupported", "PropertyReadOnly", "UnknownInterface",
    "UnknownMethod", "UnknownObject", "UnknownProperty",
]
MOST_CLIENTS = 64
# The bus lets a program wait for this many answers.
MOST_CALLS = 100
DEADLINE = 60

differences = []


def check(kept, promise, seen=None):
    """Notes a promise that is not kept."""
    if not kept:
        differences.append(promise if seen is None else f"{promise}; seen: {str(seen)[:400]}")
    return kept


class Message:
    """What is written into a message, by the types of D-Bus."""

    SIZES = {"y": (1, "B"), "n": (2, "h"), "q": (2, "H"), "b": (4, "I"), "i": (4, "i"), "u": (4, "I"), "h": (4, "I"),
             "x": (8, "q"), "t": (8, "Q"), "d": (8, "d")}

    def __init__(self):
        self.data = bytearray()

    def align(self, size):
        self.data += bytes(-len(self.data) % size)

    def add(self, signature, values):
        for one, value in zip(self.split(signature), values):
            self.put(one, value)
        return self

    @staticmethod
    def split(signature):
        """The complete types of a signature."""
        types, start, depth = [], 0, 0
        for index, letter in enumerate(signature):
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(letter, 0)
            if letter != "a" and depth == 0:
                types.append(signature[start:index + 1])
                start = index + 1
        return types

    def put(self, kind, value):
        letter = kind[0]
        if letter in self.SIZES:
            size, code = self.SIZES[letter]
            self.align(size)
            self.data += struct.pack("<" + code, value)
        elif letter in "so":
            self.align(4)
            text = value if isinstance(value, bytes) else value.encode()
            self.data += struct.pack("<I", len(text)) + text + b"\0"
        elif letter == "g":
            self.data += bytes([len(value)]) + value.encode() + b"\0"
        elif letter == "v":
            self.put("g", value[0])
            self.put(value[0], value[1])
        elif letter == "a":
            self.align(4)
            place = len(self.data)
            self.data += bytes(4)
            self.align(8 if kind[1] in "({xtd" else 4 if kind[1] in "bihusoa" else 1)
            start = len(self.data)
            for one in value:
                self.put(kind[1:], one)
            struct.pack_into("<I", self.data, place, len(self.data) - start)
        else:
            self.align(8)
            self.add(kind[1:-1], value)


class Left(Exception):
    """The bus has closed the connection."""


class Program:
    """A connection to the bus."""

    def __init__(self, bus, with_descriptors=False):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(bus)
        self.buffer = bytearray()
        self.serial = 0
        self.answers = {}
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\r\n")
        self.line(b"OK")
        if with_descriptors:
            self.socket.sendall(b"NEGOTIATE_UNIX_FD\r\n")
            self.line(b"AGREE")
        self.socket.sendall(b"BEGIN\r\n")
        self.name = self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", to="org.freedesktop.DBus")[1][0]

    def line(self, beginning):
        while b"\r\n" not in self.buffer:
            self.read()
        line, _, rest = bytes(self.buffer).partition(b"\r\n")
        self.buffer = bytearray(rest)
        if not line.startswith(beginning):
            raise Left(line)

    def read(self):
        readable, _, _ = select.select([self.socket], [], [], DEADLINE)
        if not readable:
            raise TimeoutError("the bus said nothing")
        data = self.socket.recv(1 << 20)
        if not data:
            raise Left("the bus has closed the connection")
        self.buffer += data

    def close(self):
        self.socket.close()

    # Writing

    def message(self, path, interface, member, signature="", values=(), to=NAME, flags=0, descriptors=0):
        self.serial += 1
        fields = [(1, ("o", path)), (3, ("s", member)), (6, ("s", to))]
        if interface:
            fields.append((2, ("s", interface)))
        if signature:
            fields.append((8, ("g", signature)))
        if descriptors:
            fields.append((9, ("u", descriptors)))
        body = Message().add(signature, values).data
        head = Message()
        head.data += struct.pack("<cBBBII", b"l", CALL, flags | NO_START, 1, len(body), self.serial)
        head.put("a(yv)", fields)
        head.align(8)
        return bytes(head.data + body)

    def send(self, *arguments, **options):
        """Sends a call; returns its serial."""
        self.socket.sendall(self.message(*arguments, **options))
        return self.serial

    def call(self, *arguments, **options):
        """Sends a call and waits: (None, values) or (the error's name, its text)."""
        return self.answer(self.send(*arguments, **options))

    # Reading

    def answer(self, serial):
        while serial not in self.answers:
            if not self.take():
                self.read()
        return self.answers.pop(serial)

    def take(self):
        """Takes a whole message from what was read; False if there is none."""
        if len(self.buffer) < 16:
            return False
        kind = self.buffer[1]
        body_length, _, fields_length = struct.unpack_from("<III", self.buffer, 4)
        start = 16 + fields_length + -fields_length % 8
        if len(self.buffer) < start + body_length:
            return False
        head, body = bytes(self.buffer[:start]), bytes(self.buffer[start:start + body_length])
        del self.buffer[:start + body_length]
        if kind in (RETURN, ERROR):
            fields = self.fields(head, 16 + fields_length)
            values = self.values(fields.get(8, ""), body)
            if kind == ERROR:
                self.answers[fields[5]] = (fields[4], values[0] if values else "")
            else:
                self.answers[fields[5]] = (None, values)
        return True

    @classmethod
    def fields(cls, head, end):
        fields, place = {}, 16
        while place < end:
            place += -place % 8
            code = head[place]
            fields[code], place = cls.value("v", head, place + 1)
        return fields

    @classmethod
    def values(cls, signature, body):
        """The values up to the first of a type that is not read."""
        values, place = [], 0
        for kind in Message.split(signature):
            if kind[0] not in "sogubdtv":
                break
            value, place = cls.value(kind, body, place)
            values.append(value)
        return values

    @classmethod
    def value(cls, kind, data, place):
        if kind in "so":
            place += -place % 4
            length, = struct.unpack_from("<I", data, place)
            return data[place + 4:place + 4 + length].decode(), place + 5 + length
        if kind == "g":
            length = data[place]
            return data[place + 1:place + 1 + length].decode(), place + 2 + length
        if kind == "v":
            inner, place = cls.value("g", data, place)
            if inner[0] not in "sogubdtv":
                return None, len(data)
            return cls.value(inner, data, place)
        size, code = Message.SIZES[kind]
        place += -place % size
        return struct.unpack_from("<" + code, data, place)[0], place + size


# What is done


def clear(answer, expected, what):
    """An answer is an error that says what is wrong, in few words."""
    name, text = answer
    if not check(name is not None, f"{what} is an error", text):
        return
    short = name.removeprefix("org.freedesktop.DBus.Error.")
    check(short in (CLEAR if expected is None else expected), f"{what} is {expected or 'a clear error'}", answer)
    check(0 < len(text) < 500, f"{what} has a reason of few words", len(text))


METHODS = [
    (NAME + ".Manager", "GetClient", ""), (NAME + ".Manager", "CreateClient", ""),
    (NAME + ".Manager", "DeleteClient", "o"), (NAME + ".Manager", "AddAgent", "s"),
    (NAME + ".Client", "Start", ""), (NAME + ".Client", "Stop", ""),
    (PROPERTIES, "Get", "ss"), (PROPERTIES, "GetAll", "s"), (PROPERTIES, "Set", "ssv"), (INTROSPECTABLE, "Introspect", ""),
]
WRITABLE = {"DistanceThreshold": "u", "TimeThreshold": "u", "DesktopId": "s", "RequestedAccuracyLevel": "u"}
READ_ONLY = {NAME + ".Client": ["Location", "Active"], NAME + ".Manager": ["InUse", "AvailableAccuracyLevel"]}
# Signatures, and values of them.
BODIES = [
    ("y", [7]), ("b", [1]), ("n", [-1]), ("q", [1]), ("i", [-5]), ("u", [2 ** 32 - 1]), ("x", [-1]), ("t", [2 ** 64 - 1]),
    ("d", [float("nan")]), ("d", [float("-inf")]), ("d", [-1.0]), ("s", [""]), ("o", ["/"]), ("g", ["a{sv}"]),
    ("v", [("v", ("v", ("s", "deep")))]), ("as", [["a", "b"]]), ("ay", [b"\xff" * 1000]), ("a{sv}", [{"a": 1}.items() and []]),
    ("a{sv}", [[("a", ("u", 1)), ("a", ("d", float("nan")))]]), ("(ii)", [(1, 2)]), ("aau", [[[1], [2, 3]]]),
    ("ss", ["a", "b"]), ("oo", ["/a", "/b"]), ("ssss", ["a"] * 4), ("a(sv)", [[("a", ("as", ["b"]))]]),
    ("u" * 200, list(range(200))),
]


def nested(levels):
    """A variant in a variant in a variant."""
    value = ("s", "innermost")
    for _ in range(levels):
        value = ("v", value)
    return value


def wrong_types(program, client):
    """Every method with every signature that is not its own, every property with every value of another type."""
    count = 0
    for path in (MANAGER, client, client + "/Location/0", ROOT, ROOT + "/Client", "/", ROOT + "/Client/99999999999999"):
        for interface, member, takes in METHODS:
            for signature, values in BODIES:
                if signature != takes:
                    clear(program.call(path, interface, member, signature, values), None, f"{member}({signature}) at {path}")
                    count += 1
    for name, own in WRITABLE.items():
        for signature, values in BODIES + [("v", [nested(40)])]:
            if signature != own and len(values) == 1:
                answer = program.call(client, PROPERTIES, "Set", "ssv", [NAME + ".Client", name, (signature, values[0])])
                clear(answer, ["InvalidArgs"], f"{name} = {signature}")
                count += 1
    for interface, names in READ_ONLY.items():
        path = MANAGER if interface.endswith("Manager") else client
        for name in names:
            answer = program.call(path, PROPERTIES, "Set", "ssv", [interface, name, ("b", 1)])
            clear(answer, ["PropertyReadOnly"], f"setting {name}")
    clear(program.call(client, NAME + ".Client", "NoSuchMethod"), ["UnknownMethod"], "an unknown method")
    clear(program.call(client, "no.such.Interface", "Start"), ["UnknownInterface"], "an unknown interface")
    return count


def huge(program, client):
    """Messages of up to 30 MB, of which nothing may be kept."""
    for size in (257, 1 << 20, 30 << 20):
        answer = program.call(client, PROPERTIES, "Set", "ssv", [NAME + ".Client", "DesktopId", ("s", b"a" * size)])
        clear(answer, ["InvalidArgs", "LimitsExceeded"], f"a desktop id of {size} bytes")
    # One character of a MB, and flags: where a character begins is found from the text's beginning alone.
    for text in ("a" + "\u0301" * (1 << 19), "\U0001F1E6" * (1 << 18)):
        answer = program.call(client, PROPERTIES, "Set", "ssv", [NAME + ".Client", "DesktopId", ("s", text)])
        clear(answer, ["InvalidArgs", "LimitsExceeded"], "a desktop id of endless characters")
    many = ["" for _ in range(1 << 20)]
    clear(program.call(client, PROPERTIES, "Set", "ssv", [NAME + ".Client", "DesktopId", ("as", many)]),
          ["InvalidArgs"], "a million texts")
    clear(program.call(MANAGER, NAME + ".Manager", "AddAgent", "s", [b"a" * (4 << 20)]), None, "an agent of 4 MB")
    clear(program.call(MANAGER, PROPERTIES, "Get", "ss", [b"a" * (4 << 20), "InUse"]), None, "an interface of 4 MB")
    # libsystemd drops a longer one.
    program.send(client + "/a" * 1000000, NAME + ".Client", "Start")
    # Libraries look up each beginning of a path.
    for path in (client + "/a" * 32000, "/a" * 32000, ROOT + "/Client/" + "1" * 60000):
        clear(program.call(path, NAME + ".Client", "Start"), ["UnknownObject"], "a path of thousands of steps")


def foreign(program, other):
    """Another program's objects."""
    denied = ["AccessDenied"]
    for path in (other, other + "/Location/0"):
        for interface, member, signature, values in [
            (NAME + ".Client", "Start", "", []), (NAME + ".Client", "Stop", "", []),
            (PROPERTIES, "GetAll", "s", [NAME + ".Client"]), (PROPERTIES, "GetAll", "s", [NAME + ".Location"]),
            (PROPERTIES, "Get", "ss", [NAME + ".Client", "Location"]),
            (PROPERTIES, "Set", "ssv", [NAME + ".Client", "TimeThreshold", ("u", 4000000000)]),
            (INTROSPECTABLE, "Introspect", "", []),
        ]:
            clear(program.call(path, interface, member, signature, values), denied, f"{member} of another's {path}")
        clear(program.call(MANAGER, NAME + ".Manager", "DeleteClient", "o", [path]), denied, "deleting another's client")


def floods(program, client):
    """Calls without end, with answers and without, as fast as the bus takes them."""
    started = time.monotonic()
    for round in range(30):
        serials = []
        for step in range(MOST_CALLS // 4):
            serials += [
                program.send(client, NAME + ".Client", "Start"),
                program.send(client, PROPERTIES, "Set", "ssv", [NAME + ".Client", "TimeThreshold", ("u", step + 1)]),
                program.send(MANAGER, PROPERTIES, "Get", "ss", [NAME + ".Manager", "AvailableAccuracyLevel"]),
                program.send(client, NAME + ".Client", "Stop"),
            ]
        for serial in serials:
            name, text = program.answer(serial)
            check(name is None or text, "a refused call has a reason", name)
    # Nobody waits for these, so the bus does not count them.
    for member in ("GetClient", "Start", "Stop"):
        path = MANAGER if member == "GetClient" else client
        interface = NAME + (".Manager" if member == "GetClient" else ".Client")
        program.socket.sendall(b"".join(program.message(path, interface, member, flags=NO_REPLY) for _ in range(2000)))
    program.socket.sendall(b"".join(
        program.message(MANAGER, PROPERTIES, "Get", "ss", [NAME + ".Manager", "AvailableAccuracyLevel"], flags=NO_REPLY)
        for _ in range(5000)))
    check(program.call(MANAGER, NAME + ".Manager", "GetClient")[0] is None, "after a flood a call is answered")
    return time.monotonic() - started


def many_clients(program):
    """More clients than a user may have, and each of them started."""
    paths = []
    while True:
        name, answer = program.call(MANAGER, NAME + ".Manager", "CreateClient")
        if name:
            clear((name, answer), ["LimitsExceeded"], "a client too many")
            break
        paths.append(answer[0])
        if not check(len(paths) <= MOST_CLIENTS, "a user has at most 64 clients"):
            break
    serials = []
    for path in paths:
        program.call(path, PROPERTIES, "Set", "ssv", [NAME + ".Client", "DesktopId", ("s", "hostile " + "x" * 240)])
        serials.append(program.send(path, NAME + ".Client", "Start"))
    for serial in serials:
        name, text = program.answer(serial)
        check(name is None, "a start within the limits succeeds", text)
    for path in paths:
        check(program.call(MANAGER, NAME + ".Manager", "DeleteClient", "o", [path])[0] is None, "a client is deleted")
    return len(paths)


def passengers(bus):
    """Open files in the messages of calls that wait: none may arrive."""
    program = Program(bus, with_descriptors=True)
    files = array.array("i", [0] * 16)
    closed = False
    try:
        message = program.message(MANAGER, NAME + ".Manager", "GetClient", descriptors=16)
        serial = program.serial
        program.socket.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])
        closed = program.answer(serial)[0] is not None
    except Left:
        closed = True
    check(closed, "a call with open files is refused")
    program.close()


def short_lives(bus, random_source):
    """Programs that leave at any moment: before the answer, in the middle of a message, in the middle of the greeting."""
    for number in range(150):
        if number % 10 == 0:
            stranger = socket.socket(socket.AF_UNIX)
            stranger.connect(bus)
            stranger.sendall(b"\0AUTH EXTERNAL 30\r\n"[:random_source.randrange(1, 18)])
            stranger.close()
        program = Program(bus)
        try:
            if number % 3 == 0:
                name, answer = program.call(MANAGER, NAME + ".Manager", "GetClient")
                if name is None:
                    program.send(answer[0], PROPERTIES, "Set", "ssv", [NAME + ".Client", "DesktopId", ("s", "brief")])
                    program.send(answer[0], NAME + ".Client", "Start")
            member = random_source.choice(["GetClient", "CreateClient"])
            calls = program.message(MANAGER, NAME + ".Manager", member)
            calls += program.message(ROOT + "/Client/1", NAME + ".Client", "Start")
            program.socket.sendall(calls[:random_source.randrange(len(calls) + 1)])
            if number % 7 == 0:
                program.socket.sendall(random_source.randbytes(200))
        except (Left, OSError):
            pass
        program.close()


def random_calls(bus, random_source, other):
    """Calls of everything with anything, in any order."""
    program = Program(bus)
    clients, open_calls = [], []
    names = list(WRITABLE) + ["Location", "Active", "InUse", "Colour", ""]
    for number in range(3000):
        interface, member, takes = random_source.choice(METHODS)
        path = random_source.choice([MANAGER, ROOT, other, ROOT + "/Client/0"] + clients * 2)
        if interface.endswith("Client") and clients:
            path = random_source.choice(clients)
        target = NAME + random_source.choice([".Client", ".Manager", ".Location", ".Nothing"])
        signature, values = random_source.choice(BODIES)
        if random_source.random() < 0.8:
            signature, values = takes, {
                "": [], "o": [path], "s": [target], "ss": [target, random_source.choice(names)],
                "ssv": [target, random_source.choice(names), (random_source.choice([
                    ("u", random_source.randrange(2 ** 32)), ("s", random_source.choice(["", "map", "ü\n\x1b[2J", "x" * 256])),
                    ("d", float("nan")), ("i", -1)]))],
            }[takes]
        open_calls.append((program.send(path, random_source.choice([interface, ""]), member, signature, values), member))
        if len(open_calls) == MOST_CALLS // 2 or number % 97 == 0:
            for serial, called in open_calls:
                name, answer = program.answer(serial)
                if name:
                    clear((name, answer), None, called)
                elif called in ("GetClient", "CreateClient") and answer:
                    clients.append(answer[0])
            open_calls = []
    check(program.call(MANAGER, NAME + ".Manager", "GetClient")[0] is None, "after random calls it serves")
    program.close()
    return len(clients)


def attack(bus, seed, other):
    random_source = random.Random(seed)
    seen = {}
    program = Program(bus)
    client = program.call(MANAGER, NAME + ".Manager", "GetClient")[1][0]
    seen["wrong"] = wrong_types(program, client)
    huge(program, client)
    foreign(program, other)
    clear(program.call(client, NAME + ".Client", "Start"), ["AccessDenied"], "a start without a desktop id")
    program.call(client, PROPERTIES, "Set", "ssv", [NAME + ".Client", "DesktopId", ("s", "hostile\n\x1b[2J")])
    seen["flood"] = round(floods(program, client), 1)
    program.call(MANAGER, NAME + ".Manager", "DeleteClient", "o", [client])
    seen["clients"] = many_clients(program)
    passengers(bus)
    short_lives(bus, random_source)
    seen["random"] = random_calls(bus, random_source, other)
    return seen


def fill(bus, users):
    """Each user takes one client object in each of as many programs as it may have."""
    programs, held = [], 0
    for user in users:
        os.seteuid(user)
        for _ in range(MOST_CLIENTS):
            program = Program(bus)
            programs.append(program)
            name, answer = program.call(MANAGER, NAME + ".Manager", "GetClient")
            if name:
                clear((name, answer), ["LimitsExceeded"], "a client too many of all programs")
            else:
                held += 1
        os.seteuid(0)
    return {"held": held, "programs": len(programs)}


def main():
    seen = {}
    try:
        if sys.argv[1] == "attack":
            seen = attack(sys.argv[2], int(sys.argv[3]), sys.argv[4])
        else:
            seen = fill(sys.argv[2], [int(number) for number in sys.argv[3:]])
    except (Left, OSError, LookupError, TypeError, ValueError, struct.error) as error:
        line = error.__traceback__.tb_next
        while line.tb_next and line.tb_next.tb_frame.f_code.co_filename == __file__ and line.tb_next.tb_frame.f_code.co_name not in ("call", "send", "__init__"):
            line = line.tb_next
        differences.append(f"{type(error).__name__} in line {line.tb_lineno}: {error}")
    print(json.dumps({**seen, "differences": differences[:20]}))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
