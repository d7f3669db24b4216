/// Reads numbers with a unit, as people write them.
enum Quantity {
  /// Metres, from `25`, `25m` or `1.5km`; `nil` for any other text.
  static func meters(_ text: String) -> Double? {
    self.read(text, units: [("km", 1000), ("m", 1)])
  }

  /// Seconds, from `30`, `30s`, `500ms`, `5min` or `2h`, up to the daemon's limit of 1e9; `nil` for any other text.
  static func seconds(_ text: String) -> Double? {
    self.read(text, units: [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600)]).flatMap { $0 <= 1e9 ? $0 : nil }
  }

  /// A number without a unit, such as `5` or `0.5`; `nil` for any other text.
  static func number(_ text: String) -> Double? { self.read(text, units: []) }

  /// Degrees, from `5` or `5°`; `nil` for any other text.
  static func degrees(_ text: String) -> Double? {
    self.read(text, units: [("°", 1)])
  }

  /// Degrees of a coordinate, such as `48.137`, `-0.5` or `+11.5`; `nil` for any other text.
  static func signedDegrees(_ text: Substring) -> Double? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text
    return self.read(String(digits), units: []).map { isNegative ? -$0 : $0 }
  }

  /// - Parameter units: A unit that ends in another one must precede it.
  private static func read(_ text: String, units: [(suffix: String, factor: Double)]) -> Double? {
    let unit = units.first { text.hasSuffix($0.suffix) }
    let digits = text.dropLast(unit?.suffix.count ?? 0)
    // Double's own parser also accepts "nan", "0x1p3" and "1e3", which are errors here.
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits) else {
      return nil
    }
    let value = number * (unit?.factor ?? 1)
    return value.isFinite ? value : nil
  }
}
