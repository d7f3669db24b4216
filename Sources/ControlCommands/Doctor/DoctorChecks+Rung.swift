import Positioning
import ReceiverPorts

/// Which rung suits the receiver.
extension DoctorChecks {
  static func rung(_ devices: [ReceiverDevice], daemon: DaemonFinding, _ machine: MachineFinding) -> [Check] {
    let used = daemon.status?.receiver.device
    guard let device = devices.first(where: { $0.path == used }) ?? devices.first else { return [] }
    let best = self.bestRung(for: device, isSwitchable: machine.switchableFiles.contains(device.path))
    let reason = self.reason(for: best, device)
    guard let current = daemon.status?.power.current else {
      return [Check("rung", .ok, "\(best.rawValue) suits \(device.path): \(reason)")]
    }
    if let problem = current.problem { return [Check("rung", .warning, "\(current.rung.rawValue): \(problem)")] }
    guard current.rung == .watch, best != .watch else {
      return [
        Check("rung", .ok, "\(current.rung.rawValue) is in use; \(best.rawValue) suits \(device.path): \(reason)")
      ]
    }
    return [
      Check(
        "rung", .ok, "watch is in use, with which the receiver may never sleep",
        advice: "set rung=\(best.rawValue) in [receiver] of positiond.conf, if no other program uses gpsd: \(reason)")
    ]
  }

  private static func bestRung(for device: ReceiverDevice, isSwitchable: Bool) -> PowerRung {
    switch device.driver {
    case let driver? where driver.hasPrefix("u-blox"): .ublox
    case let driver? where driver.hasPrefix("MTK"): .mtk
    case _: isSwitchable ? .unit : .watch
    }
  }

  private static func reason(for rung: PowerRung, _ device: ReceiverDevice) -> String {
    switch rung {
    case .ublox: "it is a u-blox"
    case .mtk: "it is a MediaTek"
    case .unit: "its USB device can be turned off"
    case .watch: "no command is known for \(device.driver ?? "a receiver whose type gpsd does not know")"
    }
  }
}
