import Positioning
import UBX

/// The bytes that stop and start the receivers of one driver of gpsd. Nothing else is ever written to a receiver.
package struct ReceiverCommands: Hashable, Sendable {
  /// The rung that uses them.
  let rung: PowerRung
  /// gpsd's name of the driver.
  let driver: String
  /// What the stop is called in the receiver's manual.
  let name: String
  /// Whether a stopped one goes on reporting, without a fix: then its reports alone do not show that it runs.
  let talksWhileStopped: Bool
  package let stop: [UInt8]
  /// What starts it, in order, each after ``pause``.
  package let start: [[UInt8]]

  /// A receiver that wakes loses what comes meanwhile.
  static let pause: Duration = .seconds(1)

  /// UBX-CFG-RST without forgetting anything: controlled GNSS stop, and start. The receiver does not acknowledge it. Its
  /// USB interface stays, so that it can be started.
  package static let ublox = ReceiverCommands(
    rung: .ublox, driver: "u-blox", name: "UBX-CFG-RST", talksWhileStopped: true,
    stop: Self.ubloxReset(mode: 0x08), start: [Self.ubloxReset(mode: 0x09)])

  /// Standby, from which any byte wakes it; `$PMTK225,0` ends every periodic mode. Backup modes, which only a pin of the
  /// chip would end, are not used.
  package static let mediaTek = ReceiverCommands(
    rung: .mtk, driver: "MTK-3301", name: "$PMTK161", talksWhileStopped: false,
    stop: Self.sentence("PMTK161,0"), start: [Array("\r\n".utf8), Self.sentence("PMTK225,0")])

  /// Those of a rung; `nil` if it has none.
  init?(of rung: PowerRung) {
    switch rung {
    case .ublox: self = .ublox
    case .mtk: self = .mediaTek
    case .watch, .unit: return nil
    }
  }

  private init(
    rung: PowerRung, driver: String, name: String, talksWhileStopped: Bool, stop: [UInt8], start: [[UInt8]]
  ) {
    self.rung = rung
    self.driver = driver
    self.name = name
    self.talksWhileStopped = talksWhileStopped
    self.stop = stop
    self.start = start
  }

  private static func ubloxReset(mode: UInt8) -> [UInt8] {
    // The data to forget, the mode, and a reserved byte.
    UBXFrame(UBXFrame.MessageClass.configuration, UBXFrame.resetIdentifier, payload: [0, 0, mode, 0]).bytes
  }

  private static func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
  }
}
