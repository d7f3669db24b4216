/// One message of u-blox's binary protocol.
package struct UBXFrame: Hashable, Sendable {
  package var messageClass: UInt8
  package var identifier: UInt8
  package var payload: [UInt8]

  package init(_ messageClass: UInt8, _ identifier: UInt8, payload: [UInt8] = []) {
    self.messageClass = messageClass
    self.identifier = identifier
    self.payload = payload
  }

  /// The first two bytes of every message.
  package static let sync: (UInt8, UInt8) = (0xB5, 0x62)

  package enum MessageClass {
    package static let navigation: UInt8 = 0x01
    package static let acknowledgement: UInt8 = 0x05
    package static let configuration: UInt8 = 0x06
    package static let monitor: UInt8 = 0x0A
  }

  static let versionIdentifier: UInt8 = 0x04
  static let resetIdentifier: UInt8 = 0x04

  /// The message as it is sent, with length and checksum.
  package var bytes: [UInt8] {
    let length = UInt16(self.payload.count)
    let body = [self.messageClass, self.identifier, UInt8(length & 0xFF), UInt8(length >> 8)] + self.payload
    let sum = Self.checksum(of: body)
    return [Self.sync.0, Self.sync.1] + body + [sum.0, sum.1]
  }

  /// Reads a whole message; `nil` if `bytes` is not exactly one with a right checksum.
  package init?(parsing bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count >= 8, bytes[0] == Self.sync.0, bytes[1] == Self.sync.1,
      bytes.count == Int(bytes[4]) + Int(bytes[5]) << 8 + 8,
      Self.checksum(of: bytes[2..<(bytes.count - 2)]) == (bytes[bytes.count - 2], bytes[bytes.count - 1])
    else { return nil }
    self.init(bytes[2], bytes[3], payload: Array(bytes[6..<(bytes.count - 2)]))
  }

  /// Fletcher's 8-bit checksum over class, identifier, length and payload.
  package static func checksum(of bytes: some Sequence<UInt8>) -> (UInt8, UInt8) {
    bytes.reduce((0, 0)) { sums, byte in
      let first = sums.0 &+ byte
      return (first, sums.1 &+ first)
    }
  }
}

extension UBXFrame {
  /// UBX-ACK-ACK for a message.
  package static func acknowledgement(of messageClass: UInt8, _ identifier: UInt8) -> UBXFrame {
    UBXFrame(MessageClass.acknowledgement, 0x01, payload: [messageClass, identifier])
  }

  /// UBX-MON-VER of a u-blox 8 with protocol version 18.
  package static let version: UBXFrame = {
    let extensions = ["FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"]
    let payload =
      Self.text("ROM CORE 3.01 (107888)", length: 30) + Self.text("00080000", length: 10)
      + extensions.flatMap { Self.text($0, length: 30) }
    return UBXFrame(MessageClass.monitor, Self.versionIdentifier, payload: payload)
  }()

  /// Text in a field of `length` bytes, filled with zeros.
  private static func text(_ text: String, length: Int) -> [UInt8] {
    text.utf8 + Array(repeating: 0, count: length - text.utf8.count)
  }
}

/// A payload under construction: little-endian integers one after the other.
struct UBXPayload {
  private(set) var bytes: [UInt8] = []

  mutating func append<Field: FixedWidthInteger>(_ value: Field) {
    for shift in stride(from: 0, to: Field.bitWidth, by: 8) {
      self.bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// A value in units of `unit`, clamped to the range of the field.
  mutating func append<Field: FixedWidthInteger>(_ value: Double, unit: Double, as type: Field.Type) {
    let scaled = (value / unit).rounded()
    self.append(Field(exactly: min(max(scaled, Double(Field.min)), Double(Field.max).nextDown)) ?? Field.max)
  }
}
