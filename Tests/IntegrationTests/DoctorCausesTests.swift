import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// `positionctl doctor` finds what is wrong with a real gpsd, a simulated receiver and the real daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct DoctorCausesTests {
  /// The checks that are neither ok nor unknown, by `subject: detail`, with the advice.
  private static func findings(_ fixture: IntegrationFixture, on loop: EventLoop) throws -> [(
    words: String, advice: String
  )] {
    let run = try RunningProgram(
      Programs.path("positionctl"), ["--socket", fixture.socket, "doctor", "--json"], on: loop)
    _ = try run.waitForExit()
    return try run.output.split(separator: "\n").compactMap { line in
      let check = try JSONValue(parsing: Array(line.utf8))
      guard let outcome = check["outcome"]?.text, outcome == "warning" || outcome == "problem" else { return nil }
      return ("\(check["subject"]?.text ?? ""): \(check["detail"]?.text ?? "")", check["advice"]?.text ?? "")
    }
  }

  /// Expects a finding with these words, whose advice has the others.
  private static func expect(_ words: String, _ advice: String, in findings: [(words: String, advice: String)]) {
    #expect(findings.contains { $0.words.contains(words) && $0.advice.contains(advice) }, "\(words): \(findings)")
  }

  @Test func `a gpsd with -n, -G and -s is found by its options`() async throws {
    try await withLoop { loop in
      var settings = IntegrationFixture.Settings()
      settings.gpsdArguments = ["-bn", "-G", "-s", "4800"]
      settings.receiver.faults = [Fault(.silence)]
      let fixture = try IntegrationFixture(settings)
      let idle = try Self.findings(fixture, on: loop)
      Self.expect("open in gpsd although positiond does not use it", "gpsd runs with -n", in: idle)
      Self.expect("gpsd in the network: ", "take -G out", in: idle)
      let client = try fixture.client()
      _ = try client.call("position.subscribe")
      _ = try fixture.waitForStatus("the silence") { $0["receiver"]?["availability"] == "receiverMissing" }
      let used = try Self.findings(fixture, on: loop)
      Self.expect("gpsd runs with -s 4800", "take -s out", in: used)
      Self.expect("gpsd's option -n: ", "take -n out", in: used)
    }
  }

  @Test func `a device that sends nothing to recognise is found, and the program that has it open`() async throws {
    try await withLoop { loop in
      var settings = IntegrationFixture.Settings()
      settings.receiver.faults = [Fault(.silence)]
      let fixture = try IntegrationFixture(settings)
      let client = try fixture.client()
      _ = try client.call("position.subscribe")
      _ = try fixture.waitForStatus("the silence") { $0["receiver"]?["availability"] == "receiverMissing" }
      Self.expect("recognises nothing", "stty -F", in: try Self.findings(fixture, on: loop))
      let path = try #require(try fixture.onLoop { $0.receiver?.path })
      let thief = try RunningProgram(
        "/bin/sh", ["-c", "exec 3<'\(path)' && echo opened && exec tail -f /dev/null"], on: loop)
      try thief.waitToSay("opened")
      Self.expect("tail (process ", "stop that program", in: try Self.findings(fixture, on: loop))
    }
  }

  @Test func `a line of 9600 baud is found to be too slow for a receiver that reports five times a second`()
    async throws
  {
    try await withLoop { loop in
      var settings = IntegrationFixture.Settings()
      settings.gpsdArguments = ["-b", "-s", "9600"]
      settings.receiver.period = .milliseconds(200)
      let fixture = try IntegrationFixture(settings)
      let client = try fixture.client()
      _ = try client.call("position.subscribe")
      _ = try fixture.waitForStatus("fixes") { status in
        (status["reports"]?["fixes"]?.double ?? 0) > max(20, 2 * (status["power"]?["onSeconds"]?.double ?? 0))
      }
      Self.expect("9600 baud are 960 characters a second", "gpsctl -s 38400", in: try Self.findings(fixture, on: loop))
    }
  }

  @Test func `a configured receiver that gpsd does not have is found, and a gpsd that has none`() async throws {
    try await withLoop { loop in
      var settings = IntegrationFixture.Settings()
      settings.configuration = ["gpsd.device=/dev/gps7"]
      let fixture = try IntegrationFixture(settings)
      let client = try fixture.client()
      _ = try client.call("position.subscribe")
      _ = try fixture.waitForStatus("the missing receiver") { $0["receiver"]?["availability"] == "receiverMissing" }
      Self.expect("configured receiver: ", "device= of [gpsd]", in: try Self.findings(fixture, on: loop))

      var none = IntegrationFixture.Settings()
      none.isPlugged = false
      Self.expect(
        "receivers: gpsd has none", "gpsdctl add", in: try Self.findings(try IntegrationFixture(none), on: loop))
    }
  }

  @Test func `a receiver whose date is wrong by more than a year is found`() async throws {
    try await withLoop { loop in
      var settings = IntegrationFixture.Settings()
      // gpsd itself corrects a count of weeks that has begun anew, if the sentences of the receiver show it.
      settings.receiver.faults = [Fault(.timeJump(.seconds(-400 * 86_400)))]
      let fixture = try IntegrationFixture(settings)
      let client = try fixture.client()
      _ = try client.call("position.subscribe", ["integrity": "any"])
      _ = try fixture.waitForStatus("a fix") { $0["lastFix"] != nil }
      Self.expect("a track would be dated", "firmware", in: try Self.findings(fixture, on: loop))
    }
  }

  /// Has a gpsd report fixes without an accuracy.
  private static func leaveOutAccuracy(_ gpsd: FakeGpsd) {
    let device = #"{"class":"DEVICE","path":"/dev/gps7","driver":"NMEA0183","activated":"2026-01-31T07:07:33.030Z"}"#
    gpsd.onConnect = {
      try? $0.say(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n")
    }
    gpsd.onRequest = { client, text in
      let devices = #"{"class":"DEVICES","devices":[\#(device)]}"# + "\r\n"
      guard text.hasPrefix("?WATCH={\"enable\":true") else {
        if text.hasPrefix("?DEVICES;") { try? client.say(devices) }
        return
      }
      let fixes = (0..<6).map { second in
        #"{"class":"TPV","device":"/dev/gps7","mode":3,"time":"2026-01-31T12:00:0\#(second).000Z","lat":48.1,"lon":11.5}"#
      }
      let lines = [#"{"class":"WATCH","enable":true,"json":true}"#] + fixes
      try? client.say(devices + lines.map { "\($0)\r\n" }.joined())
    }
  }

  @Test func `a receiver that never gives an accuracy is found, and get names the setting`() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      Self.leaveOutAccuracy(gpsd)
      let own = try DaemonFixture(on: loop, gpsd: gpsd.listener)
      let daemon = try own.startServing()
      let client = try own.client()
      _ = try client.call("position.subscribe")
      try loop.drive(until: "the doubt") {
        try client.call("status.get")["receiver"]?["problem"] == "noAccuracy"
      }
      func run(_ words: [String]) throws -> String {
        let run = try RunningProgram(
          Programs.path("positionctl"), ["--socket", own.socket] + words, environment: ["COLUMNS": "500"], on: loop)
        _ = try run.waitForExit()
        return run.output.replacing(/\s+/, with: " ")
      }
      let setting = "set assumed-accuracy= in [receiver] of positiond.conf"
      let found = try run(["doctor", "--gpsd", "127.0.0.1:\(gpsd.port)"])
      #expect(found.contains(setting), "\(found)")
      let got = try run(["get", "--accuracy", "50", "--timeout", "1"])
      #expect(got.contains(setting), "\(got)")
      withExtendedLifetime(daemon) {}
    }
  }

  @Test(.enabled(if: geteuid() == 0)) func `a full disk is found`() async throws {
    try await withLoop { loop in
      let script = """
        mount -t tmpfs -o size=256k none /var/lib && mkdir /var/lib/positiond && { cat /dev/zero >/var/lib/all || true; } \
        && exec '\(Programs.path("positionctl"))' --socket /nonexistent doctor --json
        """
      let run = try RunningProgram("/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script], on: loop)
      #expect(try run.waitForExit() == 1, "\(run.output)")
      #expect(run.output.contains(#""subject":"disk","outcome":"problem","detail":"full: 0 KiB"#), "\(run.output)")
    }
  }

  @Test(.enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func `a socket that is closed to the user is found`() async throws {
    try await withLoop { loop in
      let fixture = try IntegrationFixture()
      _ = unsafe chmod(fixture.socket, 0o600)
      let run = try RunningProgram(
        "/usr/bin/setpriv",
        [
          "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all,+dac_read_search",
          "--ambient-caps=-all,+dac_read_search", "--bounding-set=-all,+dac_read_search",
          Programs.path("positionctl"), "--socket", fixture.socket, "doctor", "--json",
        ], on: loop)
      _ = try run.waitForExit()
      let first = try JSONValue(parsing: Array((run.output.split(separator: "\n").first ?? "").utf8))
      #expect(first["subject"] == "daemon" && first["outcome"] == "problem", "\(run.output)")
      #expect(first["advice"]?.text?.contains("socket-mode=") == true, "\(run.output)")
    }
  }
}
