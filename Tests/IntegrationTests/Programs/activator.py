#!/usr/bin/env python3
"""Holds a socket as systemd does: starts a program with it at the next connection, whenever none runs.

Usage: activator.py SOCKET PROGRAM [ARGUMENT...]

It prints "started PID" for each start and "ended STATUS" for each end. It never accepts a connection itself.
"""

import os
import select
import socket
import sys

path, program = sys.argv[1], sys.argv[2:]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen(128)
print("listening", flush=True)
while True:
    select.select([listener], [], [])
    child = os.fork()
    if child == 0:
        os.dup2(listener.fileno(), 3)
        # It may have had that number already, and then is not inherited.
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_FDS="1", LISTEN_FDNAMES="rpc", LISTEN_PID=str(os.getpid()))
        os.execv(program[0], program)
    print("started", child, flush=True)
    print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
