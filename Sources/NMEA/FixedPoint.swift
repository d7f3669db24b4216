/// Numbers with a fixed number of digits, as in sentences.
package enum FixedPoint {
  /// `value` with `decimals` digits after the point, rounded half away from zero, and at least `width` digits before.
  package static func text(_ value: Double, decimals: Int, width: Int = 1) -> String {
    let scale = Self.power(decimals)
    let scaled = Int64((value * Double(scale)).rounded())
    let digits = Self.padded(scaled.magnitude / UInt64(scale), width: width)
    let fraction = decimals == 0 ? "" : "." + Self.padded(scaled.magnitude % UInt64(scale), width: decimals)
    return (scaled < 0 ? "-" : "") + digits + fraction
  }

  /// `number` with leading zeros.
  package static func padded(_ number: some BinaryInteger, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }

  /// The magnitude of an angle as degrees and minutes, `ddmm.mmmm` or `dddmm.mmmm`.
  package static func degreesAndMinutes(_ angle: Double, degreeDigits: Int, decimals: Int) -> String {
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
