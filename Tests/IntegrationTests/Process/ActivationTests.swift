import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// Sockets that systemd makes and passes in, by its own test tool.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ActivationTests {
  private static func activate(
    _ fixture: DaemonFixture, listen: String, _ options: [String] = ["--fdname=rpc"], on loop: EventLoop
  ) throws -> RunningProgram {
    let program = try RunningProgram(
      "/usr/bin/systemd-socket-activate",
      ["--listen=\(listen)"] + options + [Programs.path("positiond"), "--config", fixture.configuration], on: loop)
    try program.waitToSay("Listening on")
    return program
  }

  @Test func `the first client starts the daemon, which serves it, and the socket outlives the daemon`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try Self.activate(fixture, listen: fixture.socket, on: loop)
      #expect(!daemon.output.contains("serves"))
      let client = try fixture.client()
      #expect(try client.call("status.get")["clients"] == 1)
      #expect(try daemon.waitToSay("serves").contains("passed in") == false)
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
      #expect(unsafe access(fixture.socket, F_OK) == 0)
    }
  }

  @Test func `a passed socket replaces the configured one, and that is logged`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let passed = fixture.file("passed.sock")
      let daemon = try Self.activate(fixture, listen: passed, on: loop)
      #expect(try LineClient(path: passed).call("status.get")["clients"] == 1)
      try daemon.waitToSay("using the socket that systemd passed in, not socket=\(fixture.socket)")
      #expect(unsafe access(fixture.socket, F_OK) != 0)
    }
  }

  @Test func `the sockets of all doors are taken over by their names, gpsd's over TCP too`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let reservation = try TCPReservation()
      let (nmea, gpsd) = (fixture.file("nmea.sock"), fixture.file("gpsd.sock"))
      let daemon = try Self.activate(
        fixture, listen: fixture.socket,
        [
          "--listen=\(nmea)", "--listen=\(gpsd)", "--listen=127.0.0.1:\(reservation.port)",
          "--fdname=rpc:nmea:gpsd:gpsd",
        ],
        on: loop)
      #expect(try fixture.client().call("status.get")["clients"] == 1)
      #expect(try LineClient(path: nmea).textLine("sentence").hasPrefix("$G"))
      for client in [try LineClient(path: gpsd), try LineClient(port: reservation.port)] {
        #expect(try client.next(what: "banner")["class"] == "VERSION")
      }
      #expect(!daemon.output.contains("ignoring"), "\(daemon.output)")
    }
  }

  @Test func `a passed socket with only another name is refused`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try Self.activate(fixture, listen: fixture.socket, ["--fdname=other"], on: loop)
      let client = try fixture.client()
      #expect(try daemon.waitForExit() == 1)
      #expect(daemon.output.contains("ignoring the unknown socket other"), "\(daemon.output)")
      #expect(daemon.output.contains("FileDescriptorName=rpc"), "\(daemon.output)")
      withExtendedLifetime(client) {}
    }
  }

  @Test(arguments: [
    (["--datagram"], "it is not a stream socket: use ListenStream="), (["--seqpacket"], "it is not a stream socket"),
  ])
  func `a passed socket of a wrong kind is refused`(kind: [String], words: String) async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try Self.activate(fixture, listen: fixture.socket, kind + ["--fdname=rpc"], on: loop)
      let type = kind == ["--datagram"] ? SOCK_DGRAM : SOCK_SEQPACKET
      let knock = try FileDescriptor(adopting: socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0))
      #expect(unsafe withUnixAddress(fixture.socket, { unsafe connect(knock.rawValue, $0, $1) }) == 0)
      _ = try knock.write([0])
      #expect(try daemon.waitForExit() == 1)
      #expect(daemon.output.contains("cannot run: take over the socket passed in"), "\(daemon.output)")
      #expect(daemon.output.contains(words), "\(daemon.output)")
    }
  }

  @Test func `a passed network socket is refused`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try Self.activate(fixture, listen: "127.0.0.1:\(fixture.gpsdPort)", on: loop)
      let knock = try TCPSocket.connect(address: "127.0.0.1", port: fixture.gpsdPort)
      #expect(try daemon.waitForExit() == 1)
      #expect(daemon.output.contains("is not a Unix socket"), "\(daemon.output)")
      knock.close()
    }
  }
}
