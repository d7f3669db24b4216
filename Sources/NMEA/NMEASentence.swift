/// One NMEA 0183 sentence: its body, without `$`, checksum and line end.
package struct NMEASentence: Hashable, Sendable {
  package var body: String

  package init(_ body: String) {
    self.body = body
  }

  package init(_ fields: [String]) {
    self.body = fields.joined(separator: ",")
  }

  /// The exclusive or of the body's bytes.
  package var checksum: UInt8 {
    Self.checksum(of: self.body.utf8)
  }

  /// `$body*hh` and the line end, as it is sent.
  package var text: String {
    "$\(self.body)*\(Self.hexadecimal(self.checksum))\r\n"
  }

  package var bytes: [UInt8] { Array(self.text.utf8) }

  private static func checksum(of bytes: some Sequence<UInt8>) -> UInt8 {
    bytes.reduce(0) { $0 ^ $1 }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }

  /// The fields of a line that begins with `$`, with or without a carriage return at its end; `nil` if its checksum is
  /// missing or wrong.
  package static func fields(of line: ArraySlice<UInt8>) -> [String]? {
    guard line.first == UInt8(ascii: "$"), let star = line.lastIndex(of: UInt8(ascii: "*")), line.endIndex >= star + 3,
      let sent = UInt8(String(decoding: line[(star + 1)..<(star + 3)], as: UTF8.self), radix: 16)
    else { return nil }
    let body = line[(line.startIndex + 1)..<star]
    guard Self.checksum(of: body) == sent else { return nil }
    return body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
