import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// A program that uses Qt Positioning and knows nothing of positiond, with the plugins that Qt has.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct QtProgramsTests {
  /// The program, where every user may read it.
  private struct Program {
    private let copy: ReadableCopy

    init() throws { self.copy = try ReadableCopy(ofProgram: "qt-position.py") }

    func command(_ arguments: String...) -> [String] { ["/usr/bin/python3", self.copy.path] + arguments }

    var geoclue: [String] { self.command("geoclue2") }
  }

  private static func positions(in output: String) -> [Substring] {
    output.split(separator: "\n").filter { $0.hasPrefix("position ") }
  }

  /// The accuracy that Qt gives, in metres.
  private static func accuracy(in position: Substring) -> Double? {
    position.split(separator: "HorizontalAccuracy ").last?.split(separator: " ").first.flatMap { Double($0) }
  }

  // MARK: GeoClue's interface

  @Test func `Qt's plugin geoclue2 gives positions, and the receiver is released when it stops, and when it is killed`()
    async throws
  {
    try await onOwnThread {
      let qt = try Program()
      let world = try GeoClueFixture()
      let stopping = try world.run(
        qt.command("--updates", "3", "geoclue2"), as: world.precise)
      let positions = Self.positions(in: try stopping.waitToSay("stopped"))
      #expect(positions.count == 3, "\(positions)")
      for position in positions {
        #expect(position.hasPrefix("position 48.1") && position.hasSuffix(" GroundSpeed 10.0"), "\(position)")
        #expect(Self.accuracy(in: position).map { (0.1..<100).contains($0) } == true, "\(position)")
      }
      try world.waitForRelease()
      #expect(stopping.exit == nil)

      let killed = try world.run(qt.geoclue, as: world.precise)
      try killed.waitToSay("position 48.1")
      #expect(try world.fixture.client().call("status.get")["demand"] != nil)
      killed.send(SIGKILL)
      try world.waitForRelease()
    }
  }

  @Test func `with reduced precision Qt's plugin geoclue2 gives a point of the grid without a speed`() async throws {
    try await onOwnThread {
      let qt = try Program()
      let world = try GeoClueFixture()
      let program = try world.run(qt.geoclue, as: world.reduced)
      let positions = Self.positions(in: try program.waitToSay("position "))
      let position = try #require(positions.first)
      #expect(Self.accuracy(in: position).map { $0 >= 2000 } == true, "\(position)")
      #expect(!position.contains("GroundSpeed"), "\(position)")
      program.send(SIGTERM)
      _ = try program.waitForExit()
      try world.waitForRelease()
    }
  }

  @Test func `a denied user's Qt program gets AccessError from the plugin geoclue2, and the receiver stays off`()
    async throws
  {
    try await onOwnThread {
      let qt = try Program()
      let world = try GeoClueFixture()
      let program = try world.run(qt.geoclue, as: world.denied)
      let output = try program.waitToSay("error AccessError")
      #expect(output.contains("[rule denied]") && Self.positions(in: output).isEmpty, "\(output)")
      let status = try world.fixture.client().call("status.get")
      #expect(status["power"]?["starts"]?["total"] == 0, "\(status)")
    }
  }

  // MARK: NMEA

  @Test func `Qt's plugin nmea reads the NMEA socket through socat, with the permission of socat's user`() async throws
  {
    try await withLoop { loop in
      let qt = try Program()
      let users = try ThreeUsers()
      let doors = try DoorFixture(users.rules)
      for user in [users.denied, users.reduced, users.precise] {
        let reservation = try TCPReservation()
        let socat = try users.run(try doors.relay(at: reservation.port), as: user, on: loop)
        try socat.waitToSay("listening on")
        let program = try users.run(
          qt.command("--updates", "3", "nmea", "nmea.source=socket://127.0.0.1:\(reservation.port)"),
          as: users.precise, on: loop)
        guard user == users.precise else {
          let output = try program.waitToSay("error ClosedError")
          #expect(Self.positions(in: output).isEmpty, "\(output)")
          #expect(try doors.starts() == 0)
          continue
        }
        let positions = Self.positions(in: try program.waitToSay("stopped"))
        #expect(positions.count == 3, "\(positions)")
        // Qt makes no accuracy of the HDOP unless the program says what one unit is worth.
        for position in positions {
          #expect(position.hasPrefix("position 48.1") && position.hasSuffix(" HorizontalAccuracy nan GroundSpeed 10.0"))
        }
        // It reads on after it stopped, so only its end is one.
        #expect(try doors.fixture.client().call("status.get")["demand"] != nil)
        program.send(SIGKILL)
        try doors.waitForRelease()
      }
    }
  }

  @Test func `a Qt program reads the NMEA socket itself, without a TCP port`() async throws {
    try await withLoop { loop in
      let qt = try Program()
      let users = try ThreeUsers()
      let doors = try DoorFixture(users.rules)
      for user in [users.denied, users.reduced] {
        let program = try users.run(qt.command(doors.nmeaSocket), as: user, on: loop)
        let output = try program.waitToSay("closed")
        #expect(Self.positions(in: output).isEmpty, "\(output)")
      }
      #expect(try doors.starts() == 0)
      let program = try users.run(qt.command(doors.nmeaSocket), as: users.precise, on: loop)
      try program.waitToSay("position 48.1")
      program.send(SIGKILL)
      try doors.waitForRelease()
    }
  }
}
