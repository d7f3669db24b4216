"""What the tests share: a daemon with a simulated gpsd, and a daemon that is only simulated."""

import asyncio
import contextlib
import os
import pathlib
import pwd
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "scripts")]

from stage import FakeGpsd, Stage  # noqa: E402

#: The folder with the programs.
PROGRAMS = os.environ.get("POSITIOND_PROGRAMS", str(ROOT / ".build" / "debug"))
#: In seconds; no test waits so long unless it fails.
DEADLINE = 60.0


#: A rule that denies the position to this user, be it root.
DENIED = f"default=allow\n[rule tests]\nuser={pwd.getpwuid(os.getuid()).pw_name}\ngrant=deny"


class DaemonCase(unittest.TestCase):
    """Each test has a daemon of its own, and a receiver that reports five fixes a second."""

    authorization = "default=allow"

    def setUp(self):
        self.stage = Stage(PROGRAMS, "python-test")
        self.addCleanup(self.stage.end)
        self.gpsd = FakeGpsd(5)
        self.addCleanup(self.gpsd.end)
        self.stage.configure(self.gpsd.port, authorization=self.authorization)
        self.stage.serve()
        self.path = self.stage.path

    def stop_daemon(self):
        self.stage.daemon.terminate()
        self.stage.daemon.wait()

    def move(self, north):
        """The device is so many degrees farther north from now on."""
        self.gpsd.FIX = dict(FakeGpsd.FIX, lat=FakeGpsd.FIX["lat"] + north)

    def run_async(self, coroutine):
        return asyncio.run(asyncio.wait_for(coroutine, DEADLINE))


@contextlib.asynccontextmanager
async def simulated(serve):
    """A socket on which `serve(reader, writer)` plays the daemon."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/socket"
        writers = []

        async def remembering(reader, writer):
            writers.append(writer)
            await serve(reader, writer)

        server = await asyncio.start_unix_server(remembering, path)
        try:
            yield path
        finally:
            server.close()
            for writer in writers:
                writer.close()
            # A transport closes its socket in the loop's next turn.
            await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)


SESSION = {
    "server": {"name": "positiond", "version": "0"}, "protocol": "1.0", "capabilities": [],
    "principal": {"uid": 0, "groups": []}, "authorization": {"state": "always", "precision": "precise"},
    "limits": {"frame": 65536, "batch": 256, "requests": 256, "subscriptions": 256, "maxRequestTime": 3600},
}
