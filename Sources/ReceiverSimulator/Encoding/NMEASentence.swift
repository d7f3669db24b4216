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

  /// `$body*hh` and the line end, as the receiver sends it.
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
  static func fields(of line: ArraySlice<UInt8>) -> [String]? {
    guard line.first == UInt8(ascii: "$"), let star = line.lastIndex(of: UInt8(ascii: "*")), line.endIndex >= star + 3,
      let sent = UInt8(String(decoding: line[(star + 1)..<(star + 3)], as: UTF8.self), radix: 16)
    else { return nil }
    let body = line[(line.startIndex + 1)..<star]
    guard Self.checksum(of: body) == sent else { return nil }
    return body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Numbers with a fixed number of digits, as in sentences.
enum FixedPoint {
  /// `value` with `decimals` digits after the point, rounded half away from zero, and at least `width` digits before.
  static func text(_ value: Double, decimals: Int, width: Int = 1) -> String {
    let scale = Self.power(decimals)
    let scaled = Int64((value * Double(scale)).rounded())
    let digits = Self.padded(scaled.magnitude / UInt64(scale), width: width)
    let fraction = decimals == 0 ? "" : "." + Self.padded(scaled.magnitude % UInt64(scale), width: decimals)
    return (scaled < 0 ? "-" : "") + digits + fraction
  }

  /// `number` with leading zeros.
  static func padded(_ number: some BinaryInteger, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }

  /// The magnitude of an angle as degrees and minutes, `ddmm.mmmm` or `dddmm.mmmm`.
  static func degreesAndMinutes(_ angle: Double, degreeDigits: Int, decimals: Int) -> String {
    // Rounded as one number: rounding the minutes alone would write 60.00000.
    let scale = UInt64(Self.power(decimals))
    let minutes = UInt64((angle.magnitude * 60 * Double(scale)).rounded())
    let (degrees, rest) = minutes.quotientAndRemainder(dividingBy: 60 * scale)
    return Self.padded(degrees, width: degreeDigits) + Self.padded(rest / scale, width: 2) + "."
      + Self.padded(rest % scale, width: decimals)
  }

  private static func power(_ decimals: Int) -> Int64 {
    (0..<decimals).reduce(1) { scale, _ in scale * 10 }
  }
}
