import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@testable import ReceiverSimulator

/// With a replacement for positiond: a script that finds its socket in the configuration like positiond.
@Suite("The sandbox", .timeLimit(.minutes(TestDeadline.minutes))) struct SandboxTests {
  /// Listens on the configured socket, until a signal ends it. gpsd's control socket is used for that.
  static let listening = """
    #!/bin/sh
    socket=$(sed -n 's/^socket=//p' "$2")
    exec /usr/sbin/gpsd -N -S "$PORT" -F "$socket"
    """

  /// Runs a sandbox with this script in place of positiond until it has ended.
  static func run(
    script: String, faults: [Fault] = [], on loop: EventLoop, ready: @escaping (Sandbox, Sandbox.Places) throws -> Void
  ) throws -> (places: Sandbox.Places?, failure: String?) {
    let folder = try TemporaryFolder()
    let nobody = try TCPReservation()
    let positiond = folder.file("positiond")
    try File.write(
      Array(script.split(separator: "$PORT").joined(separator: "\(nobody.port)").utf8), to: positiond, mode: 0o700)
    let sandbox = try Sandbox(
      settings: .init(
        source: .simulated(.init(receiver: .init(firstStart: .ready), faults: faults)), positiond: positiond), on: loop)
    var places: Sandbox.Places?
    var failure: String??
    sandbox.ready = { found in
      places = found
      do { try ready(sandbox, found) } catch { Issue.record(error) }
    }
    sandbox.ended = { failure = .some($0) }
    try sandbox.start()
    try loop.drive(until: "the sandbox's end") { failure != nil }
    return (places, failure ?? nil)
  }

  @Test("it reports positiond's socket once positiond listens, and leaves nothing behind")
  func wholeLife() async throws {
    try await withLoop { loop in
      let result = try Self.run(script: Self.listening, on: loop) { sandbox, places in
        #expect(File.exists(places.socket))
        #expect(File.exists(places.device))
        let configuration = String(decoding: try File.read("\(places.folder)/positiond.conf"), as: UTF8.self)
        #expect(configuration.contains("[gpsd]\nhost=127.0.0.1\nport=\(places.gpsdPort)\n"))
        #expect(configuration.contains("[authorization]\ndefault=allow\n"))
        #expect(configuration.contains("[server]\nsocket=\(places.socket)\n"))
        #expect(configuration.contains("[store]\npath=\(places.folder)/positiond.db\n"))
        try UnixSocket.connect(path: places.socket).close()
        sandbox.stop()
      }
      #expect(result.failure == nil)
      let places = try #require(result.places)
      #expect(!File.exists(places.folder))
      #expect(throws: (any Error).self) { try UnixSocket.connect(path: places.socket) }
    }
  }

  @Test(
    "when positiond ends that is reported with its last log line, and it cleans up",
    arguments: [
      ("#!/bin/sh\necho port in use\nexit 78\n", "positiond exited with 78; it logged last: port in use"),
      ("#!/bin/sh\nkill -9 $$\n", "positiond was killed by signal 9"),
    ])
  func positiondEnds(script: String, expected: String) async throws {
    try await withLoop { loop in
      let result = try Self.run(script: script, on: loop) { _, _ in Issue.record("it was never ready") }
      #expect(result.failure == expected)
      #expect(result.places == nil)
    }
  }

  @Test("a receiver that is unplugged and plugged in again comes back in gpsd, which is notified as by udev")
  func replugged() async throws {
    // gpsd may take seconds to identify a receiver on a busy machine: one of them comes after a fix.
    let faults = try [10, 30, 60].map { try Fault(parsing: "unplug@\($0)s+1s") }
    try await withLoop { loop in
      var reader: GpsdReader?
      var timer: LoopTimer?
      let result = try Self.run(script: Self.listening, faults: faults, on: loop) {
        sandbox, places in
        let watcher = try GpsdReader(port: places.gpsdPort, on: loop)
        reader = watcher
        timer = try loop.timer(accuracy: .milliseconds(1)) { [weak sandbox] in
          let reports = watcher.reports
          let fix = reports.firstIndex { $0.name == "TPV" && $0.mode == 3 }
          let gone = fix.flatMap { reports[$0...].firstIndex { $0.name == "DEVICE" && $0.path == places.device } }
          if let gone, reports[gone...].contains(where: { $0.name == "TPV" && $0.mode == 3 }) { sandbox?.stop() }
          timer?.arm(at: loop.now + .milliseconds(50))
        }
        timer?.arm(at: loop.now)
      }
      timer?.cancel()
      withExtendedLifetime(reader) {}
      #expect(result.failure == nil)
    }
  }

  @Test("when gpsd ends it reports that and cleans up")
  func gpsdEnds() async throws {
    try await withLoop { loop in
      let result = try Self.run(script: Self.listening, on: loop) { sandbox, _ in sandbox.killGpsd() }
      #expect(result.failure?.hasPrefix("gpsd was killed by signal 9") == true, "\(result.failure ?? "")")
      #expect(!File.exists(try #require(result.places).folder))
    }
  }

  @Test("a positiond that is missing is reported at once")
  func noPositiond() async throws {
    try await withLoop { loop in
      let sandbox = try Sandbox(settings: .init(source: .simulated(.init()), positiond: "/nowhere/positiond"), on: loop)
      let error = #expect(throws: GpsdProcess.Failure.self) { try sandbox.start() }
      #expect(error?.description.contains("/nowhere/positiond") == true)
    }
  }
}
