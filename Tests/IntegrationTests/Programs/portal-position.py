#!/usr/bin/env python3
"""A program that prints the positions of the desktop's portal (org.freedesktop.portal.Location): portal-position.py COUNT

After COUNT positions it closes its session with the portal, says so, and stays.
"""

import sys

from gi.repository import Gio, GLib

PORTAL, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"


def say(*words):
    print(*words, flush=True)


class Follower:
    def __init__(self, wanted):
        self.left, self.bus = wanted, Gio.bus_get_sync(Gio.BusType.SESSION)
        self.bus.signal_subscribe(
            PORTAL, "org.freedesktop.portal.Location", "LocationUpdated", PATH, None, Gio.DBusSignalFlags.NONE, self.located)
        self.bus.signal_subscribe(
            PORTAL, "org.freedesktop.portal.Request", "Response", None, None, Gio.DBusSignalFlags.NONE, self.answered)
        options = {"session_handle_token": GLib.Variant("s", "test")}
        self.session = self.call("CreateSession", GLib.Variant("(a{sv})", (options,)))[0]
        self.call("Start", GLib.Variant("(osa{sv})", (self.session, "", {})))

    def call(self, method, arguments):
        return self.bus.call_sync(
            PORTAL, PATH, "org.freedesktop.portal.Location", method, arguments, None, Gio.DBusCallFlags.NONE, -1).unpack()

    def answered(self, *signal):
        code, _ = signal[5].unpack()
        say("answer", code)

    def located(self, *signal):
        session, values = signal[5].unpack()
        if session != self.session:
            return
        words = [f"{name} {values[name]:.1f}" for name in ("Accuracy", "Speed", "Altitude") if name in values]
        say("position", f"{values['Latitude']:.4f}", f"{values['Longitude']:.4f}", *words)
        self.left -= 1
        if self.left == 0:
            self.bus.call_sync(
                PORTAL, self.session, "org.freedesktop.portal.Session", "Close", None, None, Gio.DBusCallFlags.NONE, -1)
            say("closed")


follower = Follower(int(sys.argv[1]))
GLib.MainLoop().run()
