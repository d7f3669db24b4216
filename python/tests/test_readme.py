"""The samples of the package's README, and that of the repository's, each run unchanged."""

import os
import re
import signal
import subprocess
import sys
import threading
import unittest

from support import DEADLINE, DENIED, ROOT, DaemonCase

SAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "python" / "README.md").read_text(), re.S)
SAMPLES += re.findall(r"```py\n(.*?)```", (ROOT / "README.md").read_text(), re.S)


class ReadmeTests(DaemonCase):
    def run_sample(self, what, says, ends=False):
        """Runs the sample that contains a text until it prints the expected one; one that never ends is interrupted."""
        found = [one for one in SAMPLES if what in one]
        self.assertEqual(len(found), 1, what)
        environment = dict(os.environ, POSITIOND_SOCKET=self.path, PYTHONPATH=str(ROOT / "python"))
        program = subprocess.Popen(
            [sys.executable, "-u", "-c", found[0]], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
            # A shell starts what runs in its background with this signal ignored, and children inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        alarm = threading.Timer(DEADLINE, program.kill)
        alarm.start()
        said = ""
        for line in program.stdout:
            said += line
            if re.search(says, said):
                break
        if not ends:
            program.send_signal(signal.SIGINT)
        _, errors = program.communicate()
        alarm.cancel()
        self.assertRegex(said, says, errors)
        if ends:
            self.assertEqual((program.returncode, errors), (0, ""))
        else:
            self.assertNotIn("Error:", errors)

    def test_one_fix(self):
        self.run_sample("result = client.position(", r"48\.137154 11\.575382 3\.461", ends=True)

    def test_one_fix_that_is_denied(self):
        self.stop_daemon()
        self.stage.configure(self.gpsd.port, authorization=DENIED)
        self.stage.serve()
        self.run_sample("result = client.position(", "may not know the position: .* - .*", ends=True)

    def test_one_fix_without_a_daemon(self):
        self.stop_daemon()
        self.run_sample("result = client.position(", "no position: cannot connect to positiond", ends=True)

    def test_following(self):
        self.run_sample("min_distance=5,", r"48\.137154 11\.575382")

    def test_following_with_asyncio(self):
        self.run_sample("import asyncio", r"48\.137154 11\.575382")

    def test_the_repositorys_sample(self):
        self.run_sample("print(update.availability, update.fix)", r"Fix\(.*\navailable")

    def test_places(self):
        self.run_sample("client.regions(", "enter home")

    def test_durable_names(self):
        self.run_sample("client.durable(", "enter home")

    def test_every_sample_is_run(self):
        # One for each test above but two, and the agent, whose like test_link.py has.
        self.assertEqual(len(SAMPLES), 7)


if __name__ == "__main__":
    unittest.main()
