import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// A daemon with the doors for NMEA 0183 and gpsd's protocol, and a receiver that circles around Munich.
final class DoorFixture {
  let fixture: IntegrationFixture
  let port: UInt16
  let nmeaSocket: String
  let gpsdSocket: String
  private let reservation: TCPReservation
  private let folder: TemporaryFolder

  /// - Parameter configuration: Further lines of the configuration.
  init(_ configuration: [String] = []) throws {
    self.folder = try TemporaryFolder()
    try self.folder.openToEverybody()
    self.reservation = try TCPReservation()
    self.port = self.reservation.port
    self.nmeaSocket = self.folder.file("nmea.sock")
    self.gpsdSocket = self.folder.file("gpsd.sock")
    var settings = IntegrationFixture.Settings()
    settings.configuration =
      [
        "nmea.socket=\(self.nmeaSocket)", "gpsd-clients.port=\(self.port)", "gpsd-clients.socket=\(self.gpsdSocket)",
      ] + configuration
    self.fixture = try IntegrationFixture(settings)
  }

  /// Runs a program to its end, which frees the receiver.
  func run(_ path: String, _ arguments: [String], of package: String) throws -> String {
    try #require(unsafe access(path, X_OK) == 0, "\(path) is missing; scripts/bootstrap installs \(package)")
    let run = try SystemProgram.run(path, arguments)
    #expect(run.code == 0, "\(run.words)")
    try self.waitForRelease()
    return run.words
  }

  /// The command of docs/nmea.md that gives a TCP port to readers of the NMEA socket, with another port and socket. It
  /// says "listening on" when it listens.
  func relay(at port: UInt16) throws -> [String] {
    let command = try #require(
      Documents.text("docs/nmea.md").split(separator: "`").first { $0.hasPrefix("socat TCP-LISTEN:10110,") })
    let words = command.replacing("10110", with: "\(port)")
      .replacing("/run/positiond/nmea.sock", with: self.nmeaSocket)
      .split(separator: " ").map(String.init)
    return ["/usr/bin/socat", "-d", "-d"] + words.dropFirst()
  }

  /// Waits until nobody needs the receiver.
  func waitForRelease() throws { _ = try self.fixture.waitForStatus("no demand") { $0["demand"] == nil } }

  /// How often the receiver was started.
  func starts() throws -> JSONValue? { try self.fixture.client().call("status.get")["power"]?["starts"]?["total"] }
}
