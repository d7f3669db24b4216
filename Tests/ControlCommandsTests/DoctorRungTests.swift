import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import ControlCommands

/// Which rung the doctor finds for a receiver.
struct DoctorRungTests {
  @Test(
    "The rung follows from the receiver's type, and from whether its USB device can be turned off",
    arguments: [
      ("u-blox", false, .ublox), ("u-blox", true, .ublox), ("MTK-3301", true, .mtk), ("NMEA0183", true, .unit),
      ("NMEA0183", false, .watch), (nil, false, .watch),
    ] as [(String?, Bool, PowerRung)])
  func rung(driver: String?, isSwitchable: Bool, rung: PowerRung) throws {
    let device = ReceiverDevice(path: "/dev/ttyACM0", driver: driver, isActivated: true)
    let machine = MachineFinding(switchableFiles: isSwitchable ? [device.path] : [])
    let check = try #require(DoctorChecks.rung([device], daemon: .silent, machine).first)
    #expect(check.outcome == .ok && check.detail.hasPrefix("\(rung.rawValue) suits /dev/ttyACM0"), "\(check)")
  }

  @Test("Without a receiver there is nothing to say")
  func noReceiver() {
    #expect(DoctorChecks.rung([], daemon: .silent, MachineFinding()).isEmpty)
  }
}
