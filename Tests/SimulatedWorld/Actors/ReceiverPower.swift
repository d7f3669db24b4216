import Positioning
import UBX

/// What turns a receiver off and on, besides gpsd's opening of it: its own commands, or its supply.
///
/// It obeys some time later. While it is deaf, commands are lost.
struct ReceiverPower {
  /// What a command does.
  private enum Command {
    case stop
    case start
  }

  let rung: Script.Rung
  /// Whether it has its supply and works.
  private(set) var isOn = true
  var isDeaf = false
  /// How it works while it is on.
  private(set) var mode = UBXPowerMode.full
  private var random: SeededRandom

  init(_ rung: Script.Rung, seed: UInt64) {
    self.rung = rung
    self.random = SeededRandom(seed: seed)
  }

  /// - Parameter isOn: Whether it has its supply.
  mutating func supply(_ isOn: Bool) { self.isOn = isOn }

  /// Bytes that gpsd writes to it.
  ///
  /// - Returns: What changes, and after how long; `nil`: nothing.
  mutating func take(_ bytes: [UInt8]) -> (isOn: Bool, after: Duration)? {
    let pause = Duration.milliseconds(Int64.random(in: 20...900, using: &self.random))
    guard !self.isDeaf else { return nil }
    switch self.rung {
    case .watch, .unit: return nil
    case .ublox: return Self.ubloxCommand(bytes).map { ($0 == .start, pause) }
    case .mediaTek:
      // Any byte wakes it, and is lost.
      guard self.isOn else { return (true, pause) }
      return String(decoding: bytes, as: UTF8.self).hasPrefix("$PMTK161,0*") ? (false, pause) : nil
    }
  }

  /// What it answers to bytes about its power mode. While it is deaf or off, it answers nothing.
  mutating func answer(_ bytes: [UInt8]) -> [[UInt8]] {
    guard self.rung == .ublox, self.isOn, !self.isDeaf else { return [] }
    return UBXFrame.sequence(bytes).frames.compactMap { frame in
      if let mode = UBXPowerMode(frame) { self.mode = mode }
      return frame == UBXPowerMode.poll ? self.mode.frame.bytes : nil
    }
  }

  /// A UBX-CFG-RST whose sums are right.
  private static func ubloxCommand(_ bytes: [UInt8]) -> Command? {
    guard bytes.count == 12, bytes[0..<6] == [0xB5, 0x62, 0x06, 0x04, 0x04, 0x00] else { return nil }
    var sums: (UInt8, UInt8) = (0, 0)
    for byte in bytes[2..<10] {
      sums.0 &+= byte
      sums.1 &+= sums.0
    }
    guard bytes[10] == sums.0, bytes[11] == sums.1 else { return nil }
    switch bytes[8] {
    case 8: return .stop
    case 9: return .start
    default: return nil
    }
  }

  /// Whether a receiver that is off still reports, without a fix.
  var talksWhileOff: Bool { self.rung == .ublox }
}
