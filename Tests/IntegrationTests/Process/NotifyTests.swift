import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// The daemon's notifications to systemd.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct NotifyTests {
  @Test func `readiness is reported once it listens, and its reloading, its needs and its stop are too`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let manager = try NotifySocket(path: fixture.file("notify"))
      let daemon = try fixture.start(environment: ["NOTIFY_SOCKET": manager.path])
      #expect(try manager.next() == ["READY=1", "STATUS=idle: does not use the receiver"])
      // At exactly this moment.
      let client = try fixture.client()

      let before = monotonicSeconds()
      daemon.send(SIGHUP)
      let reloading = try manager.next()
      let after = monotonicSeconds()
      try #require(reloading.count == 3, "\(reloading)")
      #expect(reloading[0] == "RELOADING=1")
      let since = try #require(reloading[1].split(separator: "=").last.flatMap { Double($0) })
      #expect(reloading[1].hasPrefix("MONOTONIC_USEC=") && (before - 1e-6...after).contains(since / 1e6))
      #expect(try manager.next() == ["READY=1", "STATUS=idle: does not use the receiver"])

      // A bad configuration does not end the readiness.
      try fixture.write("nonsense\n")
      daemon.send(SIGHUP)
      #expect(try manager.next().first == "RELOADING=1")
      #expect(try manager.next() == ["READY=1", "STATUS=idle: does not use the receiver"])

      _ = try client.call("position.get", ["timeout": 0.3])
      #expect(try manager.next() == ["STATUS=uses the receiver"])
      #expect(try manager.next() == ["STATUS=idle: does not use the receiver"])

      daemon.send(SIGTERM)
      #expect(try manager.next() == ["STOPPING=1", "STATUS=stopping"])
      #expect(try daemon.waitForExit() == 0)
    }
  }

  @Test func `the loop notifies the watchdog twice in its time`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let manager = try NotifySocket(path: fixture.file("notify"))
      let daemon = try fixture.start(environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "8000000"])
      var times: [Double] = []
      var isReady = false
      while times.count < 4 {
        let notice = try manager.next()
        if notice == ["WATCHDOG=1"] { times.append(monotonicSeconds()) }
        if notice.first == "READY=1" { isReady = true }
      }
      #expect(isReady)
      // libsystemd sends it between a half and three quarters of the time; the first is sent at once. The rest of the
      // time is for a busy machine.
      for gap in zip(times.dropFirst(), times.dropFirst(2)).map({ $1 - $0 }) {
        #expect((3..<8).contains(gap), "\(times)")
      }
      // A loop that hangs sends nothing.
      daemon.send(SIGSTOP)
      let watchdogTime = 8.0
      #expect(throws: TimedOut.self) { while true { _ = try manager.next(within: watchdogTime) } }
    }
  }

  @Test func `a daemon that cannot start never reports readiness`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try fixture.configure(socket: fixture.file("missing/positiond.sock"))
      let manager = try NotifySocket(path: fixture.file("notify"))
      let daemon = try fixture.start(environment: ["NOTIFY_SOCKET": manager.path])
      #expect(try daemon.waitForExit() == 1)
      #expect(daemon.output.contains("error: positiond cannot run: listen on "), "\(daemon.output)")
      #expect(throws: TimedOut.self) { try manager.next(within: 0.1) }
    }
  }
}
