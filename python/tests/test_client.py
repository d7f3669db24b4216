"""The clients against the daemon, with a simulated gpsd."""

import asyncio
import datetime
import gc
import json
import os
import pwd
import threading
import unittest

from support import DEADLINE, DENIED, DaemonCase

import positiond

HOME = positiond.Region(
    "home", circle=positiond.Circle(latitude=48.137154, longitude=11.575382, radius=150), initial="always")


class ClientTests(DaemonCase):
    def test_one_fix(self):
        with positiond.connect(self.path, name="tests") as client:
            result = client.position(accuracy="house", timeout=20)
            self.assertEqual((result.status, result.satisfied), ("success", True))
            self.assertAlmostEqual(result.fix.latitude, 48.137154)
            self.assertEqual(result.fix.time.tzinfo, datetime.timezone.utc)
            self.assertIsNone(result.fix.course_accuracy)
            self.assertEqual(result.diagnostics.power, "on")
            self.assertEqual(client.last().achieved_accuracy, "room")
            self.assertEqual(client.session.principal.name, "tests")
            self.assertEqual(client.heading(timeout=20).heading.source, "course")
            self.assertEqual(len(client.sky().satellites), 12)
            self.assertEqual(client.status().gpsd.state, "streaming")
            self.assertEqual(client.authorization().state, "always")

    def test_a_timeout_is_a_result(self):
        with positiond.connect(self.path) as client:
            result = client.position(accuracy=0.001, timeout=0.2)
            self.assertEqual((result.status, result.satisfied), ("timedOut", False))

    def test_a_message_longer_than_a_readers_usual_limit(self):
        with positiond.connect(self.path) as client:
            document = client.call("rpc.discover")
            self.assertGreater(len(json.dumps(document, separators=(",", ":"))), 65536)

    def test_errors_have_code_name_data_and_a_class(self):
        with positiond.connect(self.path) as client:
            with self.assertRaises(positiond.InvalidParams) as raised:
                client.position(timeout=-1)
            self.assertEqual((raised.exception.code, raised.exception.name), (-32602, "invalidParams"))
            self.assertEqual(raised.exception.data["path"], "timeout")
            with self.assertRaises(positiond.NotFound):
                next(client.durable("nothing").events())
            with self.assertRaises(positiond.RequestError) as raised:
                client.call("no.method")
            self.assertEqual(raised.exception.name, "methodNotFound")
            with self.assertRaises(positiond.RequestError) as raised:
                client.call("session.hello", {"name": "x" * 70_000})
            self.assertEqual(raised.exception.name, "frameTooLarge")
            # The daemon has closed the connection; the next call makes a new one.
            self.assertEqual(client.last().availability, client.last().availability)

    def test_streams_of_every_kind(self):
        with positiond.connect(self.path) as client:
            fixes = list(client.positions(max_updates=3, min_interval=0.2))
            self.assertEqual(len([one for one in fixes if one.fix]), 3)
            with client.headings(min_change=0) as headings:
                while headings.get(DEADLINE).state != "valid":
                    pass
            self.assertEqual(len(next(client.sky_updates()).satellites), 12)
            self.assertIn("power", next(client.status_updates()).changed)
            with client.visits(), client.authorization_changes():
                listed = client.call("subscription.list")["subscriptions"]
                self.assertEqual([one["kind"] for one in listed], ["visits"])
            batches = client.positions(mode="deferred", deferred_timeout=0.5, min_interval=0)
            self.assertEqual(next(one for one in batches if one.fixes).reason, "timeout")

    def test_a_stream_that_nobody_holds_ends_its_subscription(self):
        with positiond.connect(self.path) as client:
            for _ in client.positions():
                break
            stream = client.sky_updates()
            next(stream)
            stream.close()
            gc.collect()
            self.assertEqual(client.call("subscription.list"), {"subscriptions": []})

    def test_commands_to_a_stream(self):
        with positiond.connect(self.path) as client, client.positions(replay="none") as stream:
            self.assertEqual(stream.pause().state, "paused")
            while stream.get(DEADLINE).reason != "paused":
                pass
            stream.resume()
            self.assertEqual(stream.change(min_interval=5, duration=60).subscription, 1)
            changed = client.call("subscription.list")["subscriptions"][0]["parameters"]
            self.assertEqual(changed["minInterval"], 5)
            self.assertNotIn("maxUpdates", changed)
            stream.change(min_interval=None, duration=None)
            changed = client.call("subscription.list")["subscriptions"][0]["parameters"]
            self.assertEqual((changed["minInterval"], "duration" in changed), (1, False))
            stream.acquire()
            while stream.get(DEADLINE).reason != "acquired":
                pass

    def test_a_closed_client_ends_what_waits(self):
        client = positiond.connect(self.path)
        stream = client.visits()
        ended = []
        thread = threading.Thread(target=lambda: ended.extend(stream))
        with client.positions():
            thread.start()
            client.close()
        thread.join(DEADLINE)
        self.assertFalse(thread.is_alive())
        with self.assertRaises(positiond.Closed):
            client.last()

    def test_no_daemon(self):
        self.stop_daemon()
        with self.assertRaises(positiond.ConnectionFailed) as raised:
            positiond.connect(self.path)
        self.assertIn(self.path, str(raised.exception))
        self.assertIn("systemctl start", raised.exception.remedy)

    def test_it_waits_for_a_daemon_that_starts_later(self):
        self.stop_daemon()
        clients = []
        thread = threading.Thread(target=lambda: clients.append(positiond.connect(self.path, wait=True)))
        thread.start()
        self.stage.serve()
        thread.join(DEADLINE)
        self.assertEqual(clients[0].session.server.name, "positiond")
        clients[0].close()


class ReconnectingTests(DaemonCase):
    def test_a_stream_goes_on_after_a_restart(self):
        with positiond.connect(self.path) as client, client.positions(min_interval=0.2) as stream:
            while not stream.get(DEADLINE).fix:
                pass
            self.stop_daemon()
            reasons = []
            while "disconnected" not in reasons:
                update = stream.get(DEADLINE)
                reasons.append(update.reason)
            self.assertEqual((update.availability, update.fix), ("unknown", None))
            self.assertFalse(client.is_connected)
            self.stage.serve()
            while "reconnected" not in reasons:
                reasons.append(stream.get(DEADLINE).reason)
            while not stream.get(DEADLINE).fix:
                pass
            self.assertTrue(client.is_connected)

    def test_a_request_waits_for_the_daemon_that_starts_again(self):
        with positiond.connect(self.path) as client:
            self.stop_daemon()
            results = []
            thread = threading.Thread(target=lambda: results.append(client.position(timeout=30)))
            thread.start()
            self.stage.serve()
            thread.join(DEADLINE)
            self.assertEqual(results[0].status, "success")

    def test_a_region_that_was_left_meanwhile_is_reported_once(self):
        with positiond.connect(self.path) as client, client.regions([HOME]) as stream:
            event = stream.get(DEADLINE)
            self.assertEqual((event.id, event.event), ("home", "enter"))
            self.stop_daemon()
            self.move(0.1)
            self.stage.serve()
            event = stream.get(DEADLINE)
            self.assertEqual((event.id, event.event), ("home", "exit"))

    def test_regions_may_change_meanwhile(self):
        far = positiond.Region("far", circle=positiond.Circle(10, 10, 100), initial="always")
        with positiond.connect(self.path) as client, client.regions([HOME]) as stream:
            stream.add(far)
            self.assertEqual({stream.get(DEADLINE).id, stream.get(DEADLINE).id}, {"home", "far"})
            stream.remove("far")
            self.assertEqual(len(client.call("region.list")["regions"]), 1)


class DurableTests(DaemonCase):
    def test_events_wait_until_they_are_acknowledged(self):
        with positiond.connect(self.path) as client:
            tracker = client.durable("tracker")
            self.assertEqual(tracker.subscribe_positions(mode="deferred", deferred_timeout=0.2).durable, "tracker")
            tracker.subscribe_visits()
            tracker.add_region(HOME)
            with tracker.events() as events:
                first = events.get(DEADLINE)
            self.assertEqual(first.event_id, 1)
        with positiond.connect(self.path) as client:
            tracker = client.durable("tracker")
            with tracker.events() as events:
                again = events.get(DEADLINE)
                self.assertEqual(again.event_id, 1)
                tracker.acknowledge(again)
            self.assertEqual([one.id for one in tracker.regions()], ["home"])
            self.assertEqual([(one.durable, one.visits) for one in client.durable_names()], [("tracker", True)])
            tracker.pause()
            tracker.remove_region("home")
            self.assertEqual(tracker.regions(), [])
            tracker.remove()
            self.assertEqual(client.durable_names(), [])

    def test_each_event_comes_once_to_a_loop_that_outlives_the_daemon(self):
        with positiond.connect(self.path) as client:
            tracker = client.durable("tracker")
            tracker.subscribe_positions(mode="deferred", deferred_timeout=0.2)
            numbers = []
            with tracker.events() as events:
                for _ in range(2):
                    numbers.append(events.get(DEADLINE).event_id)
                self.stop_daemon()
                self.stage.serve()
                # They were not acknowledged, and the daemon sends them again.
                while len(numbers) < 5:
                    event = events.get(DEADLINE)
                    numbers.append(event.event_id)
                tracker.acknowledge(event)
            self.assertEqual(numbers, [1, 2, 3, 4, 5])

    def test_another_program_replaces_the_stream(self):
        with positiond.connect(self.path) as one, positiond.connect(self.path) as other:
            one.durable("tracker").subscribe_visits()
            with one.durable("tracker").events() as events, other.durable("tracker").events():
                with self.assertRaises(StopIteration):
                    events.get(DEADLINE)
                self.assertEqual(events.ended, "replaced")


class PermissionTests(DaemonCase):
    authorization = DENIED

    def test_a_denial_is_an_error_with_a_remedy(self):
        with positiond.connect(self.path) as client:
            with self.assertRaises(positiond.NotPermitted) as raised:
                client.position(timeout=5)
            self.assertTrue(raised.exception.remedy)
            with self.assertRaises(positiond.NotPermitted):
                next(client.positions())


class SwitchTests(DaemonCase):
    authorization = "default=allow\n[rule tests]\nuser={}\nadmin=yes\ngrant=always".format(
        pwd.getpwuid(os.getuid()).pw_name)

    def test_a_stream_is_suspended_while_positions_are_turned_off(self):
        with positiond.connect(self.path) as client, client.positions(min_interval=0.2) as stream:
            with client.authorization_changes() as changes:
                client.admin_disable()
                self.assertEqual(changes.get(DEADLINE).state, "disabled")
                while stream.get(DEADLINE).state != "suspended":
                    pass
                # On a new connection the daemon denies the subscription, which begins when it is allowed again.
                self.stop_daemon()
                self.stage.serve()
                while stream.get(DEADLINE).reason != "suspended":
                    pass
                client.admin_enable()
                self.assertEqual(changes.get(DEADLINE).state, "always")
            while not stream.get(DEADLINE).fix:
                pass


class AsynchronousTests(DaemonCase):
    def test_the_same_with_asyncio(self):
        async def main():
            async with positiond.connect_async(self.path, name="tests") as client:
                self.assertEqual((await client.position(timeout=20)).status, "success")
                fixes = [fix async for fix in client.positions(max_updates=2, min_interval=0.2).fixes()]
                self.assertEqual(len(fixes), 2)
                async with client.positions() as stream:
                    self.assertEqual((await stream.pause()).state, "paused")
                async for event in client.regions([HOME]):
                    self.assertEqual((event.id, event.event), ("home", "enter"))
                    break
                results = await asyncio.gather(*(client.last() for _ in range(100)))
                self.assertEqual({one.availability for one in results}, {"available"})
                self.assertEqual(await client.call("subscription.list"), {"subscriptions": []})

        self.run_async(main())


if __name__ == "__main__":
    unittest.main()
