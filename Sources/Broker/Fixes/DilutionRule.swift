/// gpsd's rule for receivers without error estimates: a dilution of precision times metres that date from the days of
/// selective availability.
///
/// gpsd uses the same name for the product as for a receiver's own estimate. It can be recognised: receivers report
/// dilutions in hundredths, so the product is a multiple of a hundredth of the factor.
enum DilutionRule {
  /// gpsd's metres for a plain fix, and for one with corrections.
  struct Factors: Hashable, Sendable {
    let plain: Double
    let corrected: Double

    /// gpsd's factor for the fix's status: 2 is a fix with differential corrections.
    func factor(status: Int) -> Double { status == 2 ? self.corrected : self.plain }
  }

  static let horizontal = Factors(plain: 19, corrected: 4.75)
  static let vertical = Factors(plain: 23, corrected: 5.75)

  /// The best possible HDOP.
  private static let leastDilution = 0.3
  /// gpsd writes millimetres.
  private static let rounding = 0.0006

  /// The HDOP from which `eph` was computed; `nil` if it is no such product.
  ///
  /// If the reports of an epoch were merged, the status may come from another report: then the other factor fits.
  static func dilution(madeInto eph: Double, status: Int) -> Double? {
    let factor = self.horizontal.factor(status: status)
    let other = self.horizontal.plain + self.horizontal.corrected - factor
    return [factor, other].lazy.compactMap { factor in
      let hundredths = (eph / factor * 100).rounded()
      let dilution = hundredths / 100
      return dilution >= self.leastDilution && abs(dilution * factor - eph) <= self.rounding ? dilution : nil
    }.first
  }

  /// Whether `eph` is the product of this HDOP.
  ///
  /// - Parameter isExact: Whether the receiver reported the HDOP in hundredths; else gpsd computed it from the
  ///   satellites and rounded it.
  static func isMade(_ eph: Double, of hdop: Double, status: Int, isExact: Bool) -> Bool {
    let factor = self.horizontal.factor(status: status)
    return abs(eph - factor * hdop) <= self.rounding + (isExact ? 0 : factor * 0.005)
  }
}
