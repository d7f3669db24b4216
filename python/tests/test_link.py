"""The connection, with a daemon that is only simulated: what the real one cannot be made to do at will."""

import asyncio
import json
import unittest

from support import DEADLINE, SESSION, simulated

import positiond
from positiond._link import Backoff


def line(**message):
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


async def greet(reader, writer):
    """Answers the greeting."""
    message = json.loads(await reader.readline())
    assert message["method"] == "session.hello", message
    writer.write(line(id=message["id"], result=SESSION))


def update(number, latitude, **more):
    fix = {"latitude": latitude, "longitude": 11, "arrival": latitude, "age": 0, "mode": "3d", "status": "gnss"}
    return line(method="position.update", params={
        "subscription": number, "state": "delivering", "availability": "available", "fix": fix, **more})


ANSWER = {"subscription": 1, "state": "delivering", "availability": "available"}


class LinkTests(unittest.TestCase):
    def run_with(self, serve, use):
        async def main():
            async with simulated(serve) as path:
                return await use(path)

        return asyncio.run(asyncio.wait_for(main(), DEADLINE))

    def test_notifications_in_the_same_packet_as_the_answer_are_delivered(self):
        async def serve(reader, writer):
            await greet(reader, writer)
            asked = json.loads(await reader.readline())
            writer.write(line(id=asked["id"], result=ANSWER) + update(1, 1) + update(1, 2)
                         + line(method="subscription.ended", params={"subscription": 1, "reason": "expired"}))

        async def use(path):
            async with positiond.connect_async(path) as client:
                stream = client.positions()
                fixes = [fix.latitude async for fix in stream.fixes()]
                return fixes, stream.ended

        self.assertEqual(self.run_with(serve, use), ([1, 2], "expired"))

    def test_what_nobody_has_read_and_the_client_may_not_know_any_more_is_gone(self):
        reduced = {"state": "always", "precision": "reduced"}
        rough = {"latitude": 3, "longitude": 11, "arrival": 3, "age": 0, "mode": "2d", "status": "gnss", "reduced": True}
        change = {"subscription": 1, "state": "delivering", "availability": "accuracyLimited", "reason": "changed"}

        async def serve(reader, writer):
            await greet(reader, writer)
            asked = json.loads(await reader.readline())
            writer.write(line(id=asked["id"], result=ANSWER) + update(1, 1) + update(1, 2)
                         + line(method="authorization.changed", params={**reduced, "previous": reduced})
                         + line(method="position.update", params=change)
                         + line(method="position.update", params={**change, "reason": "x", "fix": rough})
                         + line(method="subscription.ended", params={"subscription": 1, "reason": "expired"}))

        async def use(path):
            async with positiond.connect_async(path) as client:
                async with client.positions() as stream:
                    # Everything has arrived before anything is read.
                    while stream.ended is None:
                        await asyncio.sleep(0)
                    return [(update.reason, update.fix and update.fix.latitude) async for update in stream]

        self.assertEqual(self.run_with(serve, use), [("changed", None), ("x", 3)])

    def test_an_event_in_the_same_packet_as_a_new_regions_answer_is_delivered(self):
        def event(asked, name):
            return line(method="region.event", params={"id": asked["params"]["id"], "event": name, "state": "inside"})

        async def serve(reader, writer):
            await greet(reader, writer)
            for _ in range(2):
                asked = json.loads(await reader.readline())
                writer.write(line(id=asked["id"], result={"state": "unknown"}) + event(asked, "enter"))

        async def use(path):
            circle = positiond.Circle(latitude=48, longitude=11, radius=100)
            regions = [positiond.Region(id, circle=circle, initial="always") for id in ("first", "second")]
            async with positiond.connect_async(path) as client, client.regions(regions[:1]) as stream:
                added = await stream.add(regions[1])
                return added.state, [(await stream.__anext__()).id for _ in range(2)]

        self.assertEqual(self.run_with(serve, use), ("unknown", ["first", "second"]))

    def test_a_message_may_be_long_and_come_in_pieces(self):
        text = "x" * 300_000

        async def serve(reader, writer):
            await greet(reader, writer)
            asked = json.loads(await reader.readline())
            whole = line(id=asked["id"], result={"text": text})
            for start in range(0, len(whole), 1000):
                writer.write(whole[start:start + 1000])
                await writer.drain()

        async def use(path):
            async with positiond.connect_async(path) as client:
                return await client.call("anything")

        self.assertEqual(self.run_with(serve, use), {"text": text})

    def test_what_newer_daemons_add_is_ignored(self):
        async def serve(reader, writer):
            await greet(reader, writer)
            writer.write(line(method="new.notification", params={"subscription": 1}))
            asked = json.loads(await reader.readline())
            writer.write(line(id=asked["id"], result=ANSWER) + update(1, 1, novelty=True))

        async def use(path):
            async with positiond.connect_async(path) as client:
                return (await client.positions().__anext__()).fix.latitude

        self.assertEqual(self.run_with(serve, use), 1)

    def test_another_major_version_is_refused(self):
        async def serve(reader, writer):
            message = json.loads(await reader.readline())
            writer.write(line(id=message["id"], result=dict(SESSION, protocol="2.0")))

        async def use(path):
            with self.assertRaisesRegex(positiond.Unexpected, "2.0"):
                await positiond.connect_async(path)

        self.run_with(serve, use)

    def test_what_is_no_json_ends_streams(self):
        async def serve(reader, writer):
            await greet(reader, writer)
            writer.write(b"gibberish\n")

        async def use(path):
            async with positiond.connect_async(path) as client:
                with self.assertRaises(positiond.Unexpected):
                    await client.call("anything")

        self.run_with(serve, use)

    def test_a_missing_member_ends_the_stream_with_an_error(self):
        async def serve(reader, writer):
            await greet(reader, writer)
            asked = json.loads(await reader.readline())
            writer.write(line(id=asked["id"], result=ANSWER)
                         + line(method="position.update", params={"subscription": 1, "state": "delivering"}))

        async def use(path):
            async with positiond.connect_async(path) as client:
                with self.assertRaisesRegex(positiond.Unexpected, "availability"):
                    await client.positions().__anext__()

        self.run_with(serve, use)

    def test_a_request_that_changes_nothing_is_repeated_and_another_is_not(self):
        methods = []

        async def serve(reader, writer):
            await greet(reader, writer)
            asked = json.loads(await reader.readline())
            methods.append(asked["method"])
            if len(methods) == 2:
                writer.write(line(id=asked["id"], result={"availability": "searching"}))
                asked = json.loads(await reader.readline())
                methods.append(asked["method"])
            writer.close()

        async def use(path):
            async with positiond.connect_async(path) as client:
                self.assertEqual((await client.last()).availability, "searching")
                with self.assertRaises(positiond.ConnectionFailed):
                    await client.admin_disable()

        self.run_with(serve, use)
        self.assertEqual(methods, ["position.last", "position.last", "admin.disable"])

    def test_a_lost_connection_delivers_no_fix_twice_and_counts_on(self):
        asked = []

        async def serve(reader, writer):
            await greet(reader, writer)
            request = json.loads(await reader.readline())
            asked.append(request["params"])
            if len(asked) == 1:
                writer.write(line(id=request["id"], result=ANSWER) + update(1, 1) + update(1, 2))
                await writer.drain()
                writer.close()
            else:
                writer.write(line(id=request["id"], result=ANSWER) + update(1, 2, replay=True) + update(1, 3))
                await reader.read()

        async def use(path):
            async with positiond.connect_async(path) as client:
                stream = client.positions(max_updates=3, replay="any")
                got = [(one.reason, one.fix and one.fix.latitude) async for one in stream]
                return got, stream.ended

        got, ended = self.run_with(serve, use)
        self.assertEqual(
            got, [(None, 1), (None, 2), ("disconnected", None), ("reconnected", None), (None, 3)])
        self.assertEqual(ended, "expired")
        self.assertEqual(asked, [{"maxUpdates": 3, "replay": "any"}, {"replay": "any"}])

    def test_a_slow_reader_gets_the_newest_fixes_and_the_number_of_the_dropped_ones(self):
        async def serve(reader, writer):
            await greet(reader, writer)
            asked = json.loads(await reader.readline())
            state = {"subscription": 1, "state": "paused", "availability": "available", "reason": "paused"}
            updates = line(method="position.update", params=state)
            updates += b"".join(update(1, number) for number in range(1, 81))
            ended = line(method="subscription.ended", params={"subscription": 1, "reason": "expired"})
            writer.write(line(id=asked["id"], result=ANSWER) + updates + ended)
            asked = json.loads(await reader.readline())
            writer.write(line(id=asked["id"], result={}))

        async def use(path):
            async with positiond.connect_async(path) as client:
                async with client.positions() as stream:
                    # Its answer comes after all updates.
                    await client.call("anything")
                    return [(one.fix and one.fix.latitude, one.dropped) async for one in stream]

        got = self.run_with(serve, use)
        self.assertEqual(got[:2], [(None, None), (18, 17)])
        self.assertEqual(got[2:], [(number, None) for number in range(19, 81)])

    def test_a_cancelled_request_is_cancelled_at_the_daemon(self):
        cancelled = []

        async def main():
            is_asked, is_cancelled = asyncio.Event(), asyncio.Event()

            async def serve(reader, writer):
                await greet(reader, writer)
                asked = json.loads(await reader.readline())
                is_asked.set()
                notified = json.loads(await reader.readline())
                cancelled.append((notified["method"], notified["params"]["id"] == asked["id"]))
                is_cancelled.set()

            async with simulated(serve) as path, positiond.connect_async(path) as client:
                task = asyncio.ensure_future(client.position(timeout=600))
                await is_asked.wait()
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                await is_cancelled.wait()

        asyncio.run(asyncio.wait_for(main(), DEADLINE))
        self.assertEqual(cancelled, [("$/cancelRequest", True)])


class AgentTests(unittest.TestCase):
    def test_an_agent_answers_each_prompt_that_is_not_withdrawn(self):
        answers = []

        async def main():
            is_answered = asyncio.Event()

            async def serve(reader, writer):
                await greet(reader, writer)
                asked = json.loads(await reader.readline())
                self.assertEqual(asked["method"], "agent.register")
                params = {"principal": {"uid": 1000, "groups": [], "name": "asker"}, "level": "always",
                          "precision": "precise", "expiresIn": 60}
                writer.write(line(id=asked["id"], result={"ok": True})
                             + line(id=1, method="agent.authorize", params=params)
                             + line(id=2, method="agent.authorize", params=params)
                             + line(method="$/cancelRequest", params={"id": 1}))
                answers.append(json.loads(await reader.readline()))
                is_answered.set()

            async with simulated(serve) as path, positiond.connect_async(path) as client:
                async with client.prompts() as prompts:
                    withdrawn, asked = await prompts.__anext__(), await prompts.__anext__()
                    self.assertEqual(asked.request.principal.name, "asker")
                    self.assertTrue(withdrawn.withdrawn)
                    withdrawn.answer(True)
                    asked.answer(True, level="whenInUse", precision="reduced")
                    await is_answered.wait()

        asyncio.run(asyncio.wait_for(main(), DEADLINE))
        self.assertEqual(answers, [{"jsonrpc": "2.0", "id": 2, "result": {
            "decision": "allow", "level": "whenInUse", "precision": "reduced", "remember": True}}])


class BackoffTests(unittest.TestCase):
    def test_the_first_attempt_is_immediate_and_the_others_wait_longer_each_time(self):
        backoff = Backoff()
        self.assertEqual(backoff.wait(60, False), 0)
        waits = [backoff.wait(None, False) for _ in range(12)]
        self.assertTrue(0.1 <= waits[0] <= 0.2, waits)
        self.assertTrue(all(5 <= one <= 10 for one in waits[-3:]), waits)

    def test_a_daemon_that_does_not_run_is_tried_every_two_seconds(self):
        backoff = Backoff()
        self.assertLessEqual(max(backoff.wait(None, True) for _ in range(20)), 2)

    def test_a_connection_that_does_not_last_is_no_success(self):
        backoff = Backoff()
        backoff.wait(60, False)
        self.assertGreater(backoff.wait(0.5, False), 0)


if __name__ == "__main__":
    unittest.main()
