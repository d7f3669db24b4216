import EventLoop
import Glibc
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// `positionctl metrics`: figures for a program that watches many devices.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct MetricsTests {
  /// A daemon whose client may know positions, or not.
  private static func daemon(isGranted: Bool = true) throws -> FakeDaemon {
    try FakeDaemon { method, _ in
      switch method {
      case "status.get": [.result(Samples.status)]
      case "authorization.get":
        [.result(["state": .string(isGranted ? "always" : "notDetermined"), "precision": "precise"])]
      case "position.last": [.result(["fix": Samples.fix, "achievedAccuracy": "house", "availability": "available"])]
      case _: []
      }
    }
  }

  private static func values(_ text: String) -> [String: Double] {
    var values: [String: Double] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      values[words.dropLast().joined(separator: " ")] = words.last.flatMap { Double($0) }
    }
    return values
  }

  @Test("The figures of a daemon that answers")
  func figures() async throws {
    let daemon = try Self.daemon()
    let run = try await CommandRun.of(["metrics"], at: daemon.path)
    #expect(run.code == 0 && run.errors == "")
    #expect(run.output.hasSuffix("# EOF\n"))
    let values = Self.values(run.output)
    let status: DaemonStatus = try Samples.decoded(Samples.status)
    let fix: Fix = try Samples.decoded(Samples.fix)
    #expect(values["positiond_up"] == 1)
    #expect(values["positiond_fixes_total"] == Double(status.reports.fixes))
    #expect(values["positiond_denials_total"] == Double(status.denials) && status.denials > 0)
    #expect(values["positiond_receiver_starts_total"] == Double(status.power.starts.total))
    #expect(values["positiond_receiver_on_seconds_total"] == status.power.onTime.seconds)
    #expect(values["positiond_fix_accuracy_meters"] == fix.horizontalAccuracy)
    #expect(values["positiond_gpsd_state{positiond_gpsd_state=\"\(status.gpsd.state.rawValue)\"}"] == 1)
    let states = values.filter { $0.key.hasPrefix("positiond_gpsd_state") }
    #expect(states.count == GpsdState.allCases.count && states.values.reduce(0, +) == 1)
  }

  @Test("Each figure has its type and its meaning once, and no coordinate is among them")
  func form() async throws {
    let daemon = try Self.daemon()
    let run = try await CommandRun.of(["metrics"], at: daemon.path)
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 3).map(String.init) }
    let (types, helps) = (
      lines.filter { $0[1] == "TYPE" }.map { $0[2] }, lines.filter { $0[1] == "HELP" }.map { $0[2] }
    )
    #expect(types == helps && Set(types).count == types.count)
    for unit in lines.filter({ $0[1] == "UNIT" }) { #expect(unit[2].hasSuffix("_\(unit[3])")) }
    for sample in lines where sample[0] != "#" {
      let name = sample[0].prefix { $0 != "{" }
      #expect(types.contains { name == $0 || name == "\($0)_total" || name == "\($0)_info" }, "\(name)")
    }
    let fix: Fix = try Samples.decoded(Samples.fix)
    #expect(!run.output.contains("latitude") && !run.output.contains("longitude"))
    for degrees in [fix.coordinate.latitude, fix.coordinate.longitude] {
      #expect(!run.output.contains("\(degrees)".prefix(5)))
    }
  }

  @Test("Who may not know positions is not asked for, and gets no accuracy")
  func withoutPermission() async throws {
    let daemon = try Self.daemon(isGranted: false)
    let run = try await CommandRun.of(["metrics"], at: daemon.path)
    #expect(run.code == 0)
    #expect(!daemon.methods.contains("position.last"))
    #expect(Self.values(run.output)["positiond_fix_accuracy_meters"] == nil)
  }

  @Test("Without the daemon the figure says so, and so does the exit code")
  func down() async throws {
    let run = try await CommandRun.of(["metrics"], at: "/nonexistent/socket")
    #expect(run.code == 1)
    #expect(Self.values(run.output) == ["positiond_up": 0])
    #expect(run.errors.hasPrefix("positionctl: "))
  }

  @Test("A file is replaced as a whole, and others may read it")
  func file() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/positiond.prom"
    try SystemDisk().write(Array("older".utf8), to: path, mode: 0o600, isDurable: false)
    let daemon = try Self.daemon()
    let run = try await CommandRun.of(["metrics", "-o", path], at: daemon.path)
    #expect(run.code == 0 && run.output == "")
    let written = String(decoding: try SystemDisk().read(path, limit: 1 << 20), as: UTF8.self)
    #expect(Self.values(written)["positiond_up"] == 1)
    #expect(try SystemDisk().status(of: path).get().mode & 0o777 == 0o644)
    let lost = try await CommandRun.of(["metrics", "-o", "/nonexistent/x.prom"], at: daemon.path)
    #expect(lost.code == 1 && lost.errors.contains("/nonexistent/x.prom"))
  }

  @Test(
    "A scrape is answered over HTTP, and anything else gets its error",
    arguments: [
      ("GET /metrics HTTP/1.1\r\nHost: device\r\n\r\n", 200), ("GET /metrics?x=1 HTTP/1.0\n\n", 200),
      ("GET / HTTP/1.1\r\n\r\n", 404), ("POST /metrics HTTP/1.1\r\n\r\n", 405), ("hello\r\n\r\n", 400), ("", 400),
      ("GET /metrics HTTP/1.1\r\nCookie: " + String(repeating: "x", count: 9000), 431),
    ])
  func http(request: String, status: Int) async throws {
    let pipe = try Pipe()
    // It fits into the pipe, and nothing follows: a request that is not complete ends as one whose client has left.
    _ = try pipe.input.write(Array(request.utf8)[...])
    pipe.input.close()
    var setting = CommandRun.Setting()
    setting.input = pipe.output.rawValue
    let daemon = try Self.daemon()
    let run = try await CommandRun.of(["metrics", "--http"], at: daemon.path, setting)
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("HTTP/1.1 \(status) "))
    let parts = run.output.components(between: "\r\n\r\n")
    #expect(parts.head.contains("Content-Length: \(parts.body.utf8.count)\r\n"))
    #expect(parts.body.hasSuffix("# EOF\n") == (status == 200))
    #expect(parts.head.contains("Allow: GET") == (status == 405))
  }
}

extension String {
  fileprivate func components(between separator: String) -> (head: String, body: String) {
    guard let range = self.firstRange(of: separator) else { return (self, "") }
    return (String(self[..<range.lowerBound]) + "\r\n", String(self[range.upperBound...]))
  }
}
