#!/usr/bin/env python3
"""A program that knows docs/protocol.md and nothing else about positiond.

Usage: outsider.py SOCKET

It uses every method as the document describes it and compares what comes back with what the document promises. It
prints one line of JSON: what it saw, and in `differences` each promise that was not kept. It exits with 0 where there
is none, else with 1.
"""

import json
import select
import socket
import sys
import time

LEVELS = ["city", "neighborhood", "block", "house", "room"]
AVAILABILITIES = [
    "available", "searching", "stale", "lost", "accuracyLimited", "poweredDown", "receiverMissing", "gpsdFull",
    "gpsdDown", "denied",
]
STATES = ["waiting", "acquiring", "delivering", "paused", "suspended", "ended"]
FIX_STATUSES = [
    "gnss", "dgnss", "rtkFixed", "rtkFloat", "deadReckoning", "combined", "surveyed", "simulated",
]
CONSTELLATIONS = ["gps", "sbas", "galileo", "beidou", "imes", "qzss", "glonass", "navic", "unknown"]

# An accuracy that no receiver reaches, so that a request waits.
UNREACHABLE = 0.001

differences = []


def check(kept, promise, seen=None):
    """Notes a promise of the document that is not kept."""
    if not kept:
        differences.append(promise if seen is None else f"{promise}; seen: {json.dumps(seen)}")
    return kept


class Unanswered(Exception):
    """What was waited for did not come."""


class Connection:
    """A connection to the daemon, in one of the two framings."""

    def __init__(self, path, headers=False):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.headers = headers
        self.buffer = b""
        self.messages = []
        self.next_id = 0

    def send_bytes(self, data):
        if self.headers:
            data = b"Content-Length: %d\r\n\r\n%s" % (len(data), data)
        else:
            data += b"\n"
        self.socket.sendall(data)

    def send(self, message):
        self.send_bytes(json.dumps(message).encode())

    def request(self, method, params=None, id=None):
        """Sends a request and returns its id."""
        if id is None:
            self.next_id += 1
            id = self.next_id
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return id

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def call(self, method, params=None, within=10):
        """Sends a request and returns its result."""
        answer = self.answer(self.request(method, params), within)
        check("result" in answer, f"{method} is answered with a result", answer)
        return answer.get("result", {})

    def error(self, method, params=None):
        """Sends a request that is wrong and returns its error."""
        answer = self.answer(self.request(method, params))
        check("error" in answer, f"{method} with {params} is answered with an error", answer)
        return answer.get("error", {})

    def answer(self, id, within=10):
        def matches(message):
            return message.get("id") == id and "method" not in message

        return self.first(f"the answer to {id!r}", within, matches)

    def notification(self, method, subscription=None, within=10):
        """The parameters of the next notification of a method, or of one of its subscriptions."""

        def matches(message):
            return message.get("method") == method and subscription in (None, message["params"].get("subscription"))

        return self.first(method, within, matches)["params"]

    def first(self, what, within, matches):
        """Takes the first message that matches, and leaves the others for later."""
        deadline = time.monotonic() + within
        looked_at = 0
        while True:
            for index in range(looked_at, len(self.messages)):
                message = self.messages[index]
                if isinstance(message, dict) and matches(message):
                    return self.messages.pop(index)
            looked_at = len(self.messages)
            self.read(what, deadline)

    def batch(self, messages, within=10):
        """Sends a batch and returns its answers by their ids."""
        self.send(messages)
        deadline = time.monotonic() + within
        while not any(isinstance(message, list) for message in self.messages):
            self.read("the answer to a batch", deadline)
        answers = next(message for message in self.messages if isinstance(message, list))
        self.messages.remove(answers)
        return {answer.get("id"): answer for answer in answers}

    def read(self, what, deadline):
        """Waits for bytes and takes the messages from them; False at the end of the stream."""
        readable, _, _ = select.select([self.socket], [], [], max(0, deadline - time.monotonic()))
        if not readable:
            raise Unanswered(f"{what} did not come in time")
        data = self.socket.recv(65536)
        if not data:
            raise Unanswered(f"{what} did not come before the connection closed")
        self.buffer += data
        self.split()

    def split(self):
        while True:
            if self.headers:
                head, end, rest = self.buffer.partition(b"\r\n\r\n")
                if not end:
                    return
                fields = dict(line.split(b":", 1) for line in head.lower().split(b"\r\n"))
                length = int(fields[b"content-length"])
                if len(rest) < length:
                    return
                text, self.buffer = rest[:length], rest[length:]
            else:
                text, end, rest = self.buffer.partition(b"\n")
                if not end:
                    return
                self.buffer = rest
            self.messages.append(json.loads(text))

    def finish(self, within=10):
        """Shuts the sending side down, waits until the daemon closes, and returns what came until then."""
        self.socket.shutdown(socket.SHUT_WR)
        deadline = time.monotonic() + within
        try:
            while True:
                self.read("the end of the connection", deadline)
        except Unanswered as end:
            check("connection closed" in str(end), "the daemon closes when nothing is left to answer", str(end))
        self.socket.close()
        return self.messages


def is_number(value, low=None, high=None):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def check_fix(fix):
    check(is_number(fix.get("latitude"), -90, 90), "a fix has a latitude", fix)
    check(is_number(fix.get("longitude"), -180, 180), "a fix has a longitude", fix)
    check(is_number(fix.get("arrival"), 0), "a fix has an arrival", fix)
    check(is_number(fix.get("age"), 0), "a fix has an age", fix)
    check(fix.get("mode") in ["2d", "3d"], "a fix has a mode", fix)
    check(fix.get("status") in FIX_STATUSES, "a fix has a status", fix)
    check(None not in fix.values(), "what is not known is absent, never null", fix)
    for name in ["horizontalAccuracy", "horizontalAccuracy95", "verticalAccuracy"]:
        check(name not in fix or is_number(fix[name]) and fix[name] > 0, f"{name} is greater than 0", fix)
    now = time.clock_gettime(time.CLOCK_BOOTTIME)
    check(fix["arrival"] <= now, "arrival is on CLOCK_BOOTTIME, and past", [fix["arrival"], now])


def check_standing(standing, number, what):
    check(standing.get("subscription") == number, f"{what}: subscription {number}", standing)
    check(standing.get("state") in STATES, f"{what}: a state", standing)
    check(standing.get("availability") in AVAILABILITIES, f"{what}: an availability", standing)


def say_hello(connection):
    hello = connection.call("session.hello", {"name": "outsider", "purpose": "Reads the document"})
    check(hello.get("server", {}).get("name") == "positiond", "server.name is positiond", hello)
    check(hello.get("protocol", "").split(".")[0] == "1", "the protocol's major version is 1", hello)
    check(hello.get("principal", {}).get("name") == "outsider", "the principal has the name that was said", hello)
    check(hello.get("authorization", {}).get("state") == "always", "authorization.state is always", hello)
    check(hello.get("limits", {}).get("frame") == 65536, "limits.frame is 64 KiB", hello)
    return hello.get("protocol")


def get_fix(connection):
    last = connection.call("position.last")
    check(last.get("availability") in AVAILABILITIES, "position.last: an availability", last)

    result = connection.call("position.get", {"accuracy": "house", "timeout": 30}, within=35)
    check(result.get("status") == "success" and result.get("satisfied") is True, "position.get is satisfied", result)
    check(result.get("achievedAccuracy") in LEVELS[3:], "achievedAccuracy is as fine as was asked for", result)
    check(isinstance(result.get("fromCache"), bool), "position.get: fromCache", result)
    check(is_number(result.get("elapsed"), 0, 30), "position.get: elapsed", result)
    check(result.get("diagnostics", {}).get("availability") == "available", "diagnostics.availability", result)
    fix = result.get("fix", {})
    check_fix(fix)
    check(fix.get("horizontalAccuracy", 1000) <= 15, "a fix of the level house has 15 m", fix)
    check(fix.get("age", 1000) <= 15, "a fix of the level house is at most 15 s old", fix)

    cached = connection.call("position.get", {"accuracy": 100, "maxAge": 60, "timeout": 0})
    check(cached.get("fromCache") is True, "a cached fix that meets accuracy and maxAge is the answer", cached)

    late = connection.call("position.get", {"accuracy": UNREACHABLE, "acceptableAccuracy": 100, "timeout": 0.5})
    check(late.get("status") == "success", "at the timeout a fix that meets acceptableAccuracy is a success", late)
    check(late.get("satisfied") is False, "it is not satisfied", late)
    check(late.get("elapsed", 0) >= 0.5, "it waits until the timeout", late)

    missed = connection.call("position.get", {"accuracy": UNREACHABLE, "timeout": 0.2})
    check(missed.get("status") == "timedOut", "without an acceptable fix the status is timedOut", missed)
    check("fix" in missed, "a request that timed out has the best fix there is", missed)
    return {"latitude": fix["latitude"], "longitude": fix["longitude"], "horizontalAccuracy": fix["horizontalAccuracy"]}


def follow(connection):
    filters = {"accuracy": "house", "minInterval": 0.5, "minDistance": 1, "onlyBetterThan": 50}
    standing = connection.call("position.subscribe", filters)
    number = standing.get("subscription")
    check_standing(standing, 1, "position.subscribe")
    fixes = []
    while len(fixes) < 5:
        update = connection.notification("position.update", number)
        check_standing(update, number, "position.update")
        if "fix" in update:
            check_fix(update["fix"])
            check(update["fix"].get("horizontalAccuracy", 1000) <= 50, "onlyBetterThan withholds the others", update)
            check("replay" not in update or not fixes, "only the first fix may be a replay", update)
            fixes.append(update["fix"])
    for before, after in zip(fixes, fixes[1:]):
        check(after["arrival"] > before["arrival"], "fixes come in the order of their arrival", [before, after])
        moved = before["latitude"] != after["latitude"] or before["longitude"] != after["longitude"]
        check(moved, "minDistance withholds what did not move", [before, after])

    changed = connection.call("subscription.update", {"subscription": number, "minInterval": 60, "maxInterval": 0.3})
    check_standing(changed, number, "subscription.update")
    heartbeat = connection.notification("position.update", number)
    while not heartbeat.get("repeat"):
        heartbeat = connection.notification("position.update", number)
    check("fix" in heartbeat, "a heartbeat sends the newest fix again", heartbeat)

    listed = connection.call("subscription.list").get("subscriptions", [])
    check(len(listed) == 1, "subscription.list has the one there is", listed)
    expected = {
        "mode": "continuous", "accuracy": "house", "minInterval": 60, "minDistance": 1, "maxInterval": 0.3,
        "onlyBetterThan": 50, "integrity": "suspect", "activity": "other", "autoPause": False, "replay": "fresh",
    }
    check(listed[0].get("parameters") == expected, "it has what was asked for, with defaults and changes", listed)
    check(listed[0].get("kind") == "position" and listed[0].get("updates", 0) >= 5, "kind and updates", listed)

    ended = connection.call("subscription.cancel", {"subscription": number})
    check_standing(ended, number, "subscription.cancel")
    check(ended.get("state") == "ended", "a subscription that is cancelled has ended", ended)
    connection.messages.clear()
    check(connection.call("subscription.list") == {"subscriptions": []}, "none is left")
    check(not connection.messages, "nothing comes after a cancelled subscription", connection.messages)

    short = connection.call("position.subscribe", {"maxUpdates": 1, "replay": "any"})
    check_standing(short, 2, "a number is not used again")
    check(connection.notification("position.update", 2).get("replay") is True, "a replayed fix is marked")
    end = connection.notification("subscription.ended", 2)
    check(end.get("reason") == "expired", "maxUpdates ends a subscription as expired", end)
    return len(fixes)


def look_up(connection):
    standing = connection.call("sky.subscribe", {"minInterval": 0.5})
    number = standing.get("subscription")
    check_standing(standing, 3, "sky.subscribe")
    satellites = []
    while not satellites:
        satellites = connection.notification("sky.update", number).get("satellites", [])
    for satellite in satellites:
        check(satellite.get("constellation") in CONSTELLATIONS, "a satellite's constellation", satellite)
        check(isinstance(satellite.get("svid"), int), "a satellite's svid", satellite)
        check(isinstance(satellite.get("used"), bool), "whether a satellite is used", satellite)
    check("satellites" in connection.call("sky.get"), "sky.get returns what the receiver saw last")
    other = connection.error("subscription.update", {"subscription": number, "minInterval": 5})
    check(other.get("code") == -32602, "subscription.update knows position subscriptions only", other)
    connection.call("subscription.cancel", {"subscription": number})
    return len(satellites)


def ask_status(connection):
    standing = connection.call("status.subscribe")
    check_standing(standing, 4, "status.subscribe")
    first = connection.notification("status.update", 4)
    parts = ["receiver", "power", "gpsd", "demand", "lastError", "clock", "clients", "inUse"]
    check(sorted(first.get("changed", [])) == sorted(parts), "the first update has all", first.get("changed"))
    status = connection.call("status.get")
    for name in ["version", "uptime", "receiver", "power", "gpsd", "reports", "clients", "requests", "subscriptions"]:
        check(name in status, f"the status has {name}", status)
        check(name in first, f"the first update has {name}", first)
    powers = ["on", "released", "off", "turningOn", "turningOff", "unknown"]
    check(status["power"]["state"] in powers, "a power", status)
    connection.call("subscription.cancel", {"subscription": 4})
    return status["version"]


def end_requests(connection):
    params = {"accuracy": UNREACHABLE, "acceptableAccuracy": 100, "timeout": 600}
    for id in ["complete", "cancel", "notify"]:
        connection.request("position.get", params, id=id)
    waiting = connection.call("request.list").get("requests", [])
    ids = [request.get("request") for request in waiting]
    check(ids == ["complete", "cancel", "notify"], "request.list has the oldest first", waiting)
    check(all(is_number(request.get("remaining"), 0, 600) for request in waiting), "remaining", waiting)

    twice = connection.request("position.get", params, id="cancel")
    check(connection.answer(twice).get("error", {}).get("code") == -32600, "an id in use is answered with -32600")

    check(connection.call("request.complete", {"request": "complete"}) == {"outcome": "completed"}, "completed")
    # It comes first, so it is here already.
    completed = connection.answer("complete", within=0).get("result", {})
    check(completed.get("status") == "success", "a completed request has the best fix so far", completed)
    check(connection.call("request.cancel", {"request": "cancel"}) == {"outcome": "cancelled"}, "cancelled")
    cancelled = connection.answer("cancel", within=0).get("error", {})
    check(cancelled.get("code") == -32800, "a cancelled request is answered with -32800", cancelled)
    connection.notify("$/cancelRequest", {"id": "notify"})
    notified = connection.answer("notify").get("error", {})
    check(notified.get("code") == -32800, "$/cancelRequest does what request.cancel does", notified)
    check(connection.call("request.cancel", {"request": "gone"}) == {"outcome": "unknown"}, "unknown")


def make_mistakes(connection):
    unknown = connection.error("position.get", {"acuracy": "house"})
    check(unknown.get("code") == -32602, "an unknown parameter is answered with -32602", unknown)
    check(unknown.get("data", {}).get("path") == "acuracy", "the error names it", unknown)
    mistyped = connection.error("position.get", {"timeout": "soon"})
    check(mistyped.get("code") == -32602, "a mistyped parameter is answered with -32602", mistyped)
    check(mistyped.get("data", {}).get("path") == "timeout", "the error names it", mistyped)
    check(mistyped.get("data", {}).get("found") == '"soon"', "found, as JSON", mistyped)
    check(isinstance(mistyped.get("data", {}).get("expected"), str), "expected, in words", mistyped)
    missing = connection.error("subscription.cancel", {})
    check(missing.get("code") == -32602, "a missing parameter is answered with -32602", missing)
    check(missing.get("data", {}).get("path") == "subscription", "the error names it", missing)
    check(missing.get("data", {}).get("found") == "missing", "what is missing is reported as missing", missing)
    by_order = connection.error("position.get", ["house"])
    check(by_order.get("code") == -32602, "parameters are given by name", by_order)
    check(by_order.get("data", {}).get("path") == "params", "the path is params then", by_order)
    method = connection.error("position.gett")
    check(method.get("code") == -32601, "an unknown method is answered with -32601", method)
    check(method.get("data") == {"method": "position.gett"}, "the error names it", method)
    subscription = connection.error("subscription.cancel", {"subscription": 999})
    check(subscription.get("code") == -32008, "an unknown subscription is answered with -32008", subscription)
    for wrong in [None, 1.5, 2 ** 63, "x" * 257]:
        connection.send({"jsonrpc": "2.0", "id": wrong, "method": "position.last"})
        refused = connection.first("the answer to a wrong id", 10, lambda message: message.get("id", 0) is None)
        check(refused["error"].get("code") == -32600, "a wrong id is answered with -32600", refused)
    connection.send_bytes(b'{"jsonrpc": "2.0", "id": 1,')
    broken = connection.first("the answer to broken JSON", 10, lambda message: message.get("id", 0) is None)
    check(broken["error"].get("code") == -32700, "broken JSON is answered with -32700", broken)
    connection.notify("position.gett", {})
    connection.call("position.get", {"accuracy": None, "timeout": None})
    check(not connection.messages, "a notification is never answered", connection.messages)


def send_batch(connection):
    answers = connection.batch([
        {"jsonrpc": "2.0", "id": "status", "method": "status.get"},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 999}},
        {"jsonrpc": "2.0", "id": "last", "method": "position.last"},
        {"jsonrpc": "2.0", "id": "get", "method": "position.get"},
    ])
    check(set(answers) == {"status", "last", "get"}, "a batch is answered with one array", answers)
    check("result" in answers["status"] and "fix" in answers["last"]["result"], "its answers", answers)
    check(answers["get"]["error"]["code"] == -32600, "position.get may not stand in a batch", answers)
    return len(answers)


def use_headers(path):
    connection = Connection(path, headers=True)
    result = connection.call("position.get", {"accuracy": "house"})
    check(result.get("status") == "success", "position.get works with headers", result)
    document = connection.call("rpc.discover")
    names = [method["name"] for method in document.get("methods", [])]
    check("session.hello" in names and "position.get" in names, "rpc.discover names the methods", names)
    connection.request("position.get", {"accuracy": UNREACHABLE, "timeout": 0.3}, id="last")
    messages = connection.finish()
    answered = [message.get("id") for message in messages] == ["last"]
    check(answered, "a client that has shut down its sending side gets what it asked for", messages)
    return len(names)


def main():
    path = sys.argv[1]
    seen = {}
    try:
        connection = Connection(path)
        seen["protocol"] = say_hello(connection)
        seen["fix"] = get_fix(connection)
        seen["updates"] = follow(connection)
        seen["satellites"] = look_up(connection)
        seen["version"] = ask_status(connection)
        end_requests(connection)
        make_mistakes(connection)
        seen["batch"] = send_batch(connection)
        check(connection.finish() == [], "nothing comes that was not asked for", connection.messages)
        seen["methods"] = use_headers(path)
    except (Unanswered, OSError, LookupError, TypeError, ValueError) as error:
        differences.append(f"{type(error).__name__}: {error}, after {', '.join(seen) or 'nothing'}")
    print(json.dumps({**seen, "differences": differences}))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
