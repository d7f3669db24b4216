#!/usr/bin/env python3
"""A Qt program that prints the positions of Qt Positioning: qt-position.py [--updates COUNT] PLUGIN [NAME=VALUE ...]

PLUGIN is a plugin of Qt Positioning, with its parameters, or the path of a socket with NMEA 0183, which the program then
reads itself, as Qt's class for NMEA allows. After COUNT positions it stops the updates, says so, and stays.
"""

import argparse
import datetime
import sys

from PyQt6 import QtCore, QtNetwork, QtPositioning


def nmea_socket(path):
    source = QtPositioning.QNmeaPositionInfoSource(QtPositioning.QNmeaPositionInfoSource.UpdateMode.RealTimeMode)
    socket = QtNetwork.QLocalSocket(source)
    socket.disconnected.connect(lambda: say("closed"))
    socket.connectToServer(path)
    source.setDevice(socket)
    return source


def say(*words):
    print(*words, flush=True)


class Printer:
    def __init__(self, source, wanted):
        self.source, self.left = source, wanted
        source.positionUpdated.connect(self.print_position)
        source.errorOccurred.connect(lambda error: say("error", error.name))
        source.startUpdates()

    def print_position(self, info):
        attribute = QtPositioning.QGeoPositionInfo.Attribute
        words = ["position", f"{info.coordinate().latitude():.4f}", f"{info.coordinate().longitude():.4f}"]
        for name in ("HorizontalAccuracy", "GroundSpeed"):
            if info.hasAttribute(attribute[name]):
                words += [name, f"{info.attribute(attribute[name]):.1f}"]
        say(*words)
        self.left -= 1
        if self.left == 0:
            self.source.stopUpdates()
            say("stopped")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=-1)
    parser.add_argument("plugin")
    parser.add_argument("parameters", nargs="*")
    options = parser.parse_args()
    application = QtCore.QCoreApplication(sys.argv)
    application.setApplicationName("qt-position")
    if options.plugin.startswith("/"):
        source = nmea_socket(options.plugin)
    else:
        parameters = dict(parameter.split("=", 1) for parameter in options.parameters)
        source = QtPositioning.QGeoPositionInfoSource.createSource(options.plugin, parameters, application)
    if source is None:
        sys.exit(f"Qt has no plugin {options.plugin}")
    printer = Printer(source, options.updates)
    sys.exit(application.exec())


main()
