import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// Programs that exist already, at the doors that are made for them.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct DoorProgramsTests {
  /// The latitude of every fix, in text.
  private static let latitude = "48.1"

  @Test func `gpspipe shows fixes, satellites and sentences`() async throws {
    try await onOwnThread {
      let doors = try DoorFixture()
      let pipe = "/usr/bin/gpspipe"
      let reports = try doors.run(pipe, ["-w", "-n", "40", "127.0.0.1:\(doors.port)"], of: "gpsd-clients")
      #expect(reports.contains(#""class":"TPV","device":"positiond","mode":3"#), "\(reports)")
      #expect(reports.contains("\"lat\":\(Self.latitude)") && reports.contains(#""class":"SKY""#), "\(reports)")
      let sentences = try doors.run(pipe, ["-r", "-n", "40", "127.0.0.1:\(doors.port)"], of: "gpsd-clients")
      #expect(sentences.contains("$GNGGA,") && sentences.contains(",480"), "\(sentences)")
    }
  }

  @Test func `Python's gps module iterates over fixes`() async throws {
    try await onOwnThread {
      let doors = try DoorFixture()
      let program = """
        import gps, sys
        session = gps.gps(host='127.0.0.1', port=sys.argv[1], mode=gps.WATCH_ENABLE | gps.WATCH_NEWSTYLE)
        left = 3
        for report in session:
          if report['class'] == 'TPV' and 'lat' in report:
            print('fix', report.lat, report.lon, report.eph, report.mode)
            left -= 1
          if left == 0: break
        """
      let words = try doors.run("/usr/bin/python3", ["-c", program, "\(doors.port)"], of: "python3-gps")
      #expect(words.split(separator: "\n").count { $0.hasPrefix("fix \(Self.latitude)") } == 3, "\(words)")
    }
  }

  @Test func `a C program on libgps reads fixes with gps_stream and gps_read`() async throws {
    try await onOwnThread {
      let doors = try DoorFixture()
      let folder = try TemporaryFolder()
      let program = folder.file("gpsd-client")
      let source = "\(PackageRoot.path)/Tests/IntegrationTests/Programs/gpsd-client.c"
      let built = try SystemProgram.run("/usr/bin/cc", ["-Wall", "-Werror", "-o", program, source, "-lgps", "-lm"])
      try #require(built.code == 0, "\(built.words)")
      let words = try doors.run(program, ["127.0.0.1", "\(doors.port)", "3"], of: "libgps-dev")
      let fixes = words.split(separator: "\n").filter { $0.hasPrefix("fix \(Self.latitude)") }
      #expect(fixes.count == 3 && fixes.allSatisfy { $0.contains("mode 3") }, "\(words)")
    }
  }

  @Test func `a second gpsd reads it as a device, and its clients get the same fixes`() async throws {
    try await onOwnThread {
      let doors = try DoorFixture()
      let latitudes = try Self.throughAnotherGpsd(reading: "gpsd://127.0.0.1:\(doors.port)", on: EventLoop())
      #expect(latitudes.count >= 3 && latitudes.allSatisfy { abs($0 - 48.137) < 0.02 }, "\(latitudes)")
      _ = try doors.fixture.waitForStatus("no demand after gpsd") { $0["demand"] == nil }
    }
  }

  @Test func `a second gpsd reads the NMEA socket through socat, as a device of TCP`() async throws {
    try await withLoop { loop in
      let doors = try DoorFixture()
      let reservation = try TCPReservation()
      let relay = try doors.relay(at: reservation.port)
      let socat = try RunningProgram(relay[0], Array(relay.dropFirst()), on: loop)
      try socat.waitToSay("listening on")
      let latitudes = try Self.throughAnotherGpsd(reading: "tcp://127.0.0.1:\(reservation.port)", on: loop)
      #expect(latitudes.count >= 3 && latitudes.allSatisfy { abs($0 - 48.137) < 0.02 }, "\(latitudes)")
      try doors.waitForRelease()
    }
  }

  /// The latitudes that a gpsd gives whose device is one of positiond's doors. It ends then.
  private static func throughAnotherGpsd(reading device: String, on loop: EventLoop) throws -> [Double] {
    let folder = try TemporaryFolder()
    let gpsd = try GpsdProcess(
      devices: [device], folder: folder.path, on: loop, keepsOpen: true)
    let watcher = try GpsdWatcher(port: gpsd.port)
    try watcher.watch()
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while watcher.reports.count(where: \.isUsable) < 3, monotonicSeconds() < deadline {
      try loop.drive(for: .milliseconds(20))
      try watcher.read()
    }
    return withExtendedLifetime(gpsd) { watcher.reports.filter(\.isUsable).compactMap(\.lat) }
  }

  @Test func `gpsbabel reads a track from the sentences of the NMEA socket`() async throws {
    try await onOwnThread {
      let doors = try DoorFixture()
      let folder = try TemporaryFolder()
      let file = folder.file("sentences")
      let script = "socat -u \"UNIX-CONNECT:$0\" - | head -n 60 >\"$1\""
      _ = try doors.run("/bin/sh", ["-c", script, doors.nmeaSocket, file], of: "socat")
      let track = try doors.run(
        "/usr/bin/gpsbabel", ["-i", "nmea", "-f", file, "-o", "gpx", "-F", "-"], of: "gpsbabel")
      #expect(track.contains("<trkpt lat=\"\(Self.latitude)"), "\(track)")
    }
  }

  @Test(
    "over TCP a client has the permission of the user who made its socket, and of that user's groups",
    .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func usersOverTCP() async throws {
    try await onOwnThread {
      let accounts = try TemporaryUsers()
      let group = try accounts.addGroup()
      let (member, reduced, denied) = (
        try accounts.addUser(groups: [group.gid]), try accounts.addUser(), try accounts.addUser()
      )
      let doors = try DoorFixture([
        "authorization.default=deny", "rule members.group=\(group.name)", "rule members.grant=whenInUse",
        "rule roughly.user=\(reduced.name ?? "")", "rule roughly.grant=whenInUse", "rule roughly.precision=reduced",
      ])
      let watch = "?WATCH={\"enable\":true,\"json\":true};"
      let clients = try [member, reduced, denied].map { try LineClient(port: doors.port, as: $0) }
      for client in clients { try client.send(raw: watch) }
      let fixes = try clients.prefix(2).map { client in
        try client.next(what: "fix") { $0["class"] == "TPV" && $0["lat"] != nil }
      }
      #expect(fixes[0]["speed"] != nil && fixes[1]["speed"] == nil)
      _ = try clients[0].next(what: "satellites") { $0["class"] == "SKY" }
      _ = try clients[2].next(what: "reason") { $0["class"] == "ERROR" }
      for client in clients.dropFirst() {
        while let message = client.unreadMessage() { #expect(message["class"] != "SKY" && message["class"] != "ATT") }
      }
    }
  }

  @Test func `without a client at its doors the daemon needs nothing`() async throws {
    try await onOwnThread {
      let doors = try DoorFixture()
      let status = try doors.fixture.client().call("status.get")
      #expect(status["demand"] == nil && status["clients"] == 1)
    }
  }
}
