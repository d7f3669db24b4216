import Positioning
import ReceiverPorts

@testable import Gpsd

extension Instant {
  /// So many seconds after the boot.
  static func at(_ seconds: Double) -> Instant { Instant(sinceBoot: .seconds(seconds)) }
}

extension GpsdDecoder {
  func decode(_ line: String, at seconds: Double = 0) -> GpsdMessage {
    self.decode(Array(line.utf8), arrival: .at(seconds))
  }
}

extension GpsdMessage {
  static let banner = GpsdMessage.version(release: "3.22", major: 3, minor: 14)

  static func report(_ device: String? = "/dev/ttyACM0", mode: PositionReport.Mode = .threeDimensional) -> GpsdMessage {
    .position(PositionReport(device: device, mode: mode, arrival: .at(0)))
  }

  static func list(
    _ paths: String..., driver: String? = "NMEA0183", active: Bool = true, cycle: Duration? = nil
  ) -> GpsdMessage {
    .devices(paths.map { ReceiverDevice(path: $0, driver: driver, isActivated: active, cycle: cycle) })
  }
}
