/// One message of u-blox's binary protocol. A payload has at most 65,535 bytes.
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
    /// AID: assistance of the generations 5 to 7.
    package static let aiding: UInt8 = 0x0B
    /// MGA: assistance from the eighth generation on.
    package static let assistance: UInt8 = 0x13
    package static let security: UInt8 = 0x27
  }

  /// MON-VER.
  package static let versionIdentifier: UInt8 = 0x04
  /// CFG-RST.
  package static let resetIdentifier: UInt8 = 0x04
  /// NAV-STATUS.
  package static let statusIdentifier: UInt8 = 0x03
  /// MON-HW.
  package static let hardwareIdentifier: UInt8 = 0x09
  /// MON-RF, in place of MON-HW from the ninth generation on.
  package static let radioIdentifier: UInt8 = 0x38
  /// SEC-SIG.
  package static let signalSecurityIdentifier: UInt8 = 0x09

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

  /// Reads messages that follow each other without anything between them, up to the first byte that belongs to none.
  ///
  /// - Returns: The messages, and how many bytes they take: all of them, if nothing else is there.
  package static func sequence(_ bytes: [UInt8]) -> (frames: [UBXFrame], length: Int) {
    var (frames, place) = ([UBXFrame](), 0)
    while bytes.count - place >= 8 {
      let end = place + Int(bytes[place + 4]) + Int(bytes[place + 5]) << 8 + 8
      guard end <= bytes.count, let frame = UBXFrame(parsing: bytes[place..<end]) else { break }
      frames.append(frame)
      place = end
    }
    return (frames, place)
  }

  /// Fletcher's 8-bit checksum over class, identifier, length and payload.
  package static func checksum(of bytes: some Sequence<UInt8>) -> (UInt8, UInt8) {
    bytes.reduce((0, 0)) { sums, byte in
      let first = sums.0 &+ byte
      return (first, sums.1 &+ first)
    }
  }
}
