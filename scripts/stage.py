"""Shared by the benchmarks: a client of the socket, the real daemon in a temporary folder, and a simulated gpsd.

Whoever makes a stage ends it in any case: then the folder is removed, and every program that it started has ended.
"""
import datetime
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time


class Client:
    """JSON texts on lines, over the daemon's socket."""

    def __init__(self, path, timeout=30):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        try:
            self.socket.connect(path)
        except OSError:
            self.end()
            raise
        self.buffer, self.number = b"", 0
        self.notified = []

    def end(self):
        self.socket.close()

    def send(self, method, params=None):
        self.number += 1
        self.socket.sendall(request(self.number, method, params))
        return self.number

    def read(self):
        while b"\n" not in self.buffer:
            more = self.socket.recv(1 << 16)
            if not more:
                raise ConnectionError("closed")
            self.buffer += more
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def call(self, method, params=None):
        number = self.send(method, params)
        while True:
            message = self.read()
            if message.get("id") == number:
                return message
            if message.get("id") is None and "error" in message:
                raise ConnectionError(message["error"]["message"])
            self.notified.append(message)


def request(number, method, params=None):
    """The line of a request."""
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    if params is not None:
        message["params"] = params
    return json.dumps(message).encode() + b"\n"


class Stage:
    """A temporary folder with the daemon and other programs."""

    def __init__(self, programs, name):
        self.programs = os.path.abspath(programs)
        self.folder = tempfile.mkdtemp(prefix=f"positiond-{name}-", dir="/tmp")
        os.chmod(self.folder, 0o711)
        self.path = f"{self.folder}/positiond.sock"
        self.children = []
        # So that a benchmark that is asked to end stops its programs.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    def start(self, arguments, **more):
        child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, **more)
        self.children.append(child)
        return child

    def configure(self, port, linger="60s", authorization="default=allow"):
        """Writes the daemon's configuration, in which all users may know the position unless it is said otherwise."""
        with open(f"{self.folder}/positiond.conf", "w") as file:
            file.write(
                f"[server]\nsocket={self.path}\n[gpsd]\nhost=127.0.0.1\nport={port}\n[receiver]\nlinger={linger}\n"
                f"[store]\npath={self.folder}/positiond.db\n[log]\nlevel=warning\n"
                f"[authorization]\n{authorization}\n")

    def serve(self, wrapper=(), environment=(), timeout=30):
        """Starts the daemon, within a wrapper if there is one; returns how long it took until it answered."""
        began = time.monotonic()
        program = f"{self.programs}/positiond"
        if not os.access(program, os.X_OK):
            raise SystemExit(f"{program} is not there; make what calls this builds it")
        with open(f"{self.folder}/positiond.log", "a") as log:
            self.daemon = self.start(
                [*wrapper, program, "--config", f"{self.folder}/positiond.conf"],
                stdout=log, stderr=subprocess.STDOUT, env=dict(os.environ, **dict(environment)))

        def answers():
            try:
                client = Client(self.path, timeout=5)
            except OSError:
                return False
            try:
                return "result" in client.call("authorization.get")
            except OSError:
                return False
            finally:
                client.end()

        self.await_that(answers, "daemon", seconds=timeout, pause=0.005)
        return time.monotonic() - began

    def await_that(self, condition, what, seconds=30, pause=0.05):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise SystemExit(f"no {what} within {seconds} s; {self.log()}")
            time.sleep(pause)

    def log(self):
        try:
            with open(f"{self.folder}/positiond.log") as file:
                return file.read()[-2000:]
        except OSError:
            return "the daemon was not started"

    def end(self):
        for child in reversed(self.children):
            if child.poll() is None:
                child.terminate()
        deadline = time.monotonic() + 5
        for child in self.children:
            try:
                child.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class FakeGpsd:
    """A simulated gpsd with one receiver, which reports a fix and the sky at a given rate.

    If a number of epochs is given, there are no more of them. It takes next to no time of the processor. But for the
    time, its reports are always the same bytes.
    """

    BANNER = {"class": "VERSION", "release": "3.22", "rev": "3.22", "proto_major": 3, "proto_minor": 14}
    DEVICE = {"class": "DEVICE", "path": "/dev/ttyACM0", "driver": "u-blox", "activated": "2026-11-21T07:07:33.030Z",
              "native": 1, "bps": 38400, "parity": "N", "stopbits": 1, "cycle": 1.0, "mincycle": 0.02}
    SKY = {"class": "SKY", "device": "/dev/ttyACM0", "xdop": 0.63, "ydop": 0.71, "vdop": 1.12, "tdop": 0.8,
           "hdop": 0.95, "gdop": 1.67, "pdop": 1.47, "satellites": [
               {"PRN": number, "gnssid": 0, "svid": number, "el": 5.0 * number, "az": 24.0 * number,
                "ss": 20.0 + number, "used": number % 3 > 0} for number in range(1, 13)]}
    FIX = {"class": "TPV", "device": "/dev/ttyACM0", "mode": 3, "ept": 0.005, "lat": 48.137154, "lon": 11.575382,
           "altHAE": 567.321, "altMSL": 520.123, "alt": 520.123, "track": 123.4567, "magtrack": 119.7, "speed": 1.234,
           "climb": 0.02, "eps": 0.43, "epc": 1.9, "eph": 3.461, "epv": 5.123, "sep": 6.2}

    def __init__(self, rate, epochs=None):
        self.rate, self.epochs = rate, epochs
        self.is_watched = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            client.sendall(text(self.BANNER))
            self.converse(client)
        except OSError:
            pass
        self.is_watched = False
        client.close()

    def converse(self, client):
        buffer, due = b"", None
        while True:
            left = None if due is None else due - time.monotonic()
            if left is not None and left <= 0:
                client.sendall(self.epoch())
                due += 1 / self.rate
                if self.epochs is not None:
                    self.epochs -= 1
                    due = due if self.epochs > 0 else None
                continue
            client.settimeout(left)
            try:
                more = client.recv(4096)
            except TimeoutError:
                continue
            if not more:
                return
            buffer += more
            *asked, buffer = buffer.replace(b"\n", b";").split(b";")
            for words in asked:
                if words.startswith(b"?WATCH"):
                    is_on = b'"enable":true' in words
                    client.sendall(
                        text({"class": "DEVICES", "devices": [self.DEVICE]})
                        + text({"class": "WATCH", "enable": is_on, "json": True}))
                    self.is_watched, due = is_on, time.monotonic() if is_on and self.epochs != 0 else None
                elif words.startswith(b"?DEVICES"):
                    client.sendall(text({"class": "DEVICES", "devices": [self.DEVICE]}))

    def epoch(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        moment = now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{now.microsecond // 1000:03}Z"
        return text(dict(self.SKY, time=moment)) + text(dict(self.FIX, time=moment))

    def end(self):
        self.listener.close()


def text(message):
    return json.dumps(message, separators=(",", ":")).encode() + b"\r\n"
