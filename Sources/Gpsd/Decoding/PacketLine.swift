import Positioning
import ReceiverPorts
import UBX

/// A line in which gpsd passes on a binary message of a receiver, in hexadecimal digits (`"raw":1`).
///
/// gpsd checks messages before, but whatever is at its address need not, so everything is checked here: the digits, the
/// length, the checksum. What is not wanted is dropped by its first bytes, since most lines are satellites and positions, which gpsd
/// reports itself.
enum PacketLine {
  /// The longest payload of a wanted message: SEC-SIG with 255 frequencies.
  static let longestPayload = 1024

  /// What a line has.
  enum Content: Hashable {
    /// What the receiver says of its reception.
    case reception(Reception)
    /// What it knows of its satellites, or its answer to what it was given or set to.
    case assistance(UBXFrame)
  }

  /// `nil` if the line's message is none that is wanted, or says nothing.
  static func content(_ line: [UInt8]) -> Content? {
    guard let start = self.bytes(line.prefix(8)), start.count == 4, (start[0], start[1]) == UBXFrame.sync else {
      return nil
    }
    let saysReception = Reception.isStated(inMessage: start[2], start[3])
    guard
      saysReception || UBXFrame.isOfAssistance(start[2], start[3]) || UBXPowerMode.isAnswer(start[2], start[3]),
      line.count <= 2 * (self.longestPayload + 8),
      let bytes = self.bytes(line[...]), let frame = UBXFrame(parsing: bytes)
    else { return nil }
    return saysReception ? Reception(statedIn: frame).map { .reception($0) } : .assistance(frame)
  }

  /// The bytes of an even number of digits.
  private static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = self.value(of: digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case _: nil
    }
  }
}
