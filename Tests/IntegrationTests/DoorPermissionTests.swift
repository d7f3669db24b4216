import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// What programs that know nothing of positiond's permission show when their user may not know the precise position.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct DoorPermissionTests {
  // MARK: Readers of gpsd's protocol

  /// A program that reads gpsd, and what it shows.
  struct Reader: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Its command, with PORT in it.
    let command: [String]
    let precise: String
    let reduced: String
    let denied: String
    /// What nobody else than a precise user may see.
    let secret: String
  }

  private static let module = """
    import gps, sys
    for report in gps.gps(host='127.0.0.1', port=sys.argv[1], mode=gps.WATCH_ENABLE | gps.WATCH_NEWSTYLE):
      if report['class'] == 'TPV' and 'lat' in report: print('mode', report.mode, sorted(report.keys()))
      if report['class'] == 'ERROR': print('error', report.message)
    """

  private static let readers = [
    Reader(
      testDescription: "gpspipe", command: ["/usr/bin/gpspipe", "-w", "127.0.0.1:PORT"], precise: #""mode":3"#,
      reduced: #""mode":2"#, denied: #"{"class":"ERROR","message":"Restricted: rule denied"#, secret: #""speed""#),
    Reader(
      testDescription: "Python's gps", command: ["/usr/bin/python3", "-c", Self.module, "PORT"], precise: "mode 3",
      reduced: "mode 2", denied: "error Restricted: rule denied", secret: "'speed'"),
    // cgps has no place for the reason.
    Reader(
      testDescription: "cgps", command: ["/usr/bin/cgps", "--silent", "-u", "m", "127.0.0.1:PORT"], precise: "km/h",
      reduced: "48.", denied: "NO FIX", secret: "km/h"),
  ]

  @Test(arguments: Self.readers)
  func `a program that reads gpsd shows a reduced user's point without a speed, and a denied user's reason`(
    reader: Reader
  ) async throws {
    try await withLoop { loop in
      let users = try ThreeUsers()
      let doors = try DoorFixture(users.rules)
      let environment = ["PATH": "/usr/bin:/bin", "TERM": "vt100", "LINES": "40", "COLUMNS": "100"]
      for (user, words) in [
        (users.denied, reader.denied), (users.reduced, reader.reduced), (users.precise, reader.precise),
      ] {
        let command = reader.command.map { $0.replacing("PORT", with: "\(doors.port)") }
        // To a pipe some would write only full buffers.
        let program = try users.run(command, as: user, environment: environment, onTerminal: true, on: loop)
        let output = try program.waitToSay(words)
        #expect((user == users.precise) == output.contains(reader.secret), "\(output)")
        if user == users.denied {
          #expect(!output.contains("48."), "\(output)")
          #expect(try doors.starts() == 0)
        }
        program.send(SIGKILL)
        _ = try program.waitForExit()
        try doors.waitForRelease()
      }
    }
  }

  @Test func `a C program on libgps gets a reduced user's point, and a denied user's reason as gpsd's error`()
    async throws
  {
    try await withLoop { loop in
      let users = try ThreeUsers()
      let doors = try DoorFixture(users.rules)
      let folder = try TemporaryFolder()
      try folder.openToEverybody()
      let program = folder.file("gpsd-client")
      let source = "\(PackageRoot.path)/Tests/IntegrationTests/Programs/gpsd-client.c"
      let built = try SystemProgram.run("/usr/bin/cc", ["-o", program, source, "-lgps", "-lm"])
      try #require(built.code == 0, "\(built.words)")
      let denied = try users.run([program, "127.0.0.1", "\(doors.port)", "1"], as: users.denied, on: loop)
      #expect(try denied.waitForExit() == 3)
      #expect(denied.output.hasPrefix("error Restricted: rule denied"), "\(denied.output)")
      #expect(try doors.starts() == 0)
      let reduced = try users.run([program, "127.0.0.1", "\(doors.port)", "1"], as: users.reduced, on: loop)
      #expect(try reduced.waitForExit() == 0)
      #expect(reduced.output.contains("mode 2 satellites 0"), "\(reduced.output)")
      try doors.waitForRelease()
    }
  }

  @Test func `a second gpsd passes on a reduced user's point, and a denied user's reason`() async throws {
    try await withLoop { loop in
      let users = try ThreeUsers()
      let doors = try DoorFixture(users.rules)
      for user in [users.denied, users.reduced] {
        let reservation = try TCPReservation()
        let environment = [
          "PATH": "/usr/sbin:/usr/bin", "GPSD_SHM_KEY": "\(0x5053_0000 + Int32(reservation.port))",
        ]
        let gpsd = try users.run(
          [
            "/usr/sbin/gpsd", "-N", "-n", "-D", "3", "-S", "\(reservation.port)", "gpsd://127.0.0.1:\(doors.port)",
          ], as: user, environment: environment, on: loop)
        try gpsd.waitToSay("listening on port")
        let client = try LineClient(port: reservation.port)
        try client.send(raw: "?WATCH={\"enable\":true,\"json\":true};\n")
        if user == users.denied {
          let error = try client.next(what: "reason") { $0["class"] == "ERROR" }["message"]?.text ?? ""
          #expect(error.hasPrefix("Restricted: rule denied"), "\(error)")
          #expect(try doors.starts() == 0)
        } else {
          let fix = try client.next(what: "fix") { $0["class"] == "TPV" && $0["lat"] != nil }
          #expect(fix["mode"] == 2 && fix["speed"] == nil && fix["alt"] == nil, "\(fix)")
        }
        gpsd.send(SIGTERM)
        _ = try gpsd.waitForExit()
        try doors.waitForRelease()
      }
    }
  }

  // MARK: GeoClue itself, with positions from the NMEA socket

  /// A configuration of GeoClue with this socket as its only source, and its demonstration programs allowed.
  private static func configuration(_ doors: DoorFixture) -> String {
    let off = ["3g", "cdma", "modem-gps", "wifi"].map { "[\($0)]\nenable=false\n" }.joined()
    return """
      [agent]
      whitelist=geoclue-demo-agent
      [geoclue-where-am-i]
      allowed=true
      system=true
      users=
      [network-nmea]
      enable=true
      nmea-socket=\(doors.nmeaSocket)
      \(off)
      """
  }

  /// Starts GeoClue as a user, who sees this file in place of the system's configuration.
  private static func geoclue(
    _ configuration: String, as user: OtherUser, _ environment: [String: String], on loop: EventLoop
  ) throws -> RunningProgram {
    let script = """
      chmod 0644 "$0"
      mount --bind "$0" /etc/geoclue/geoclue.conf
      exec setpriv --reuid=\(user.uid) --regid=\(user.gid) --clear-groups /usr/libexec/geoclue
      """
    return try RunningProgram(
      "/usr/bin/unshare", ["--mount", "/bin/sh", "-e", "-c", script, configuration],
      environment: environment.merging(["GSETTINGS_BACKEND": "memory", "G_MESSAGES_DEBUG": "Geoclue"]) { $1 }, on: loop)
  }

  @Test func `GeoClue itself reads the NMEA socket, and with a user that may not know the position it has none`()
    async throws
  {
    try await withLoop { loop in
      let users = try ThreeUsers()
      let doors = try DoorFixture(users.rules)
      let folder = try TemporaryFolder()
      try folder.openToEverybody()
      let configuration = folder.file("geoclue.conf")
      try File.write(Array(Self.configuration(doors).utf8), to: configuration)
      for user in [users.denied, users.reduced, users.precise] {
        let bus = try PrivateBus(on: loop)
        let environment = ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": bus.address]
        let geoclue = try Self.geoclue(configuration, as: user, environment, on: loop)
        try geoclue.waitToSay("No. of _nmea-0183._tcp services 1")
        let agent = try RunningProgram(
          "/usr/libexec/geoclue-2.0/demos/agent", [], environment: environment, on: loop)
        let program = try RunningProgram(
          "/usr/libexec/geoclue-2.0/demos/where-am-i", ["-a", "8", "-t", "3600"], environment: environment, on: loop)
        if user == users.precise {
          let output = try program.waitToSay("Accuracy:")
          #expect(output.contains("Latitude:    48.1"), "\(output)")
          program.send(SIGKILL)
          try doors.waitForRelease()
        } else {
          // It was closed without a byte, and GeoClue has no source any more.
          try geoclue.waitToSay("Nothing to read")
          try geoclue.waitToSay("Available accuracy level from GClueNMEASource: 0")
          #expect(!program.output.contains("Latitude"), "\(program.output)")
          #expect(try doors.starts() == 0)
        }
        withExtendedLifetime((agent, bus)) {}
      }
    }
  }

  // MARK: positiond's own programs

  @Test func `gpsbabel reads the GeoJSON of positionctl watch, with the points that the user may know`() async throws {
    try await withLoop { loop in
      let users = try ThreeUsers()
      let doors = try DoorFixture(users.rules)
      let folder = try TemporaryFolder()
      for (user, count) in [(users.denied, 0), (users.reduced, 1), (users.precise, 3)] {
        let program = try users.run(
          [Programs.path("positionctl"), "watch", "-n", "\(max(count, 1))", "--format", "geojson"], as: user,
          environment: doors.fixture.environment, on: loop)
        #expect((try program.waitForExit() == 0) == (count > 0), "\(program.output)")
        #expect(program.output.contains("no permission: Restricted: rule denied") == (count == 0), "\(program.output)")
        // What is for people is on lines of its own.
        let lines = program.output.split(separator: "\n").filter {
          !$0.hasPrefix("positionctl: ") && !$0.hasPrefix("-- ")
        }
        let file = folder.file("\(count).json")
        try File.write(Array(lines.joined(separator: "\n").utf8), to: file)
        let run = try SystemProgram.run("/usr/bin/gpsbabel", ["-i", "geojson", "-f", file, "-o", "gpx", "-F", "-"])
        #expect(run.code == 0, "\(run.words)")
        #expect(run.words.split(separator: "<wpt lat=\"4").count - 1 == count, "\(run.words)")
        if count == 0 { #expect(try doors.starts() == 0) }
        try doors.waitForRelease()
      }
    }
  }

  private static let package = """
    import positiond
    with positiond.connect(name="test") as client:
      try:
        fix = client.position(accuracy="city", timeout=3600).fix
        print("fix", fix.latitude, fix.horizontal_accuracy, fix.speed)
      except positiond.NotPermitted as error:
        print("denied", error, error.remedy)
    """

  @Test func `a program with the Python package gets a fix, a reduced one, or the reason and what to do`() async throws
  {
    try await withLoop { loop in
      let users = try ThreeUsers()
      let doors = try DoorFixture(users.rules)
      let package = try ReadableCopy(of: "python")
      let environment = doors.fixture.environment.merging(["PYTHONPATH": package.path]) { $1 }
      var outputs: [String] = []
      for user in [users.denied, users.reduced, users.precise] {
        let program = try users.run(
          ["/usr/bin/python3", "-B", "-c", Self.package], as: user, environment: environment, on: loop)
        #expect(try program.waitForExit() == 0, "\(program.output)")
        outputs.append(program.output)
        if user == users.denied { #expect(try doors.starts() == 0) }
        try doors.waitForRelease()
      }
      #expect(
        outputs[0].hasPrefix("denied Restricted: rule denied") && outputs[0].contains("[rule denied]"), "\(outputs)")
      #expect(outputs[1].hasPrefix("fix 4") && outputs[1].hasSuffix(" None\n"), "\(outputs)")
      #expect(outputs[2].hasPrefix("fix 48.1") && outputs[2].hasSuffix(" 10.0\n"), "\(outputs)")
      #expect(outputs[1].split(separator: " ").dropFirst(2).first.flatMap { Double($0) }.map { $0 >= 2000 } == true)
    }
  }
}
