extension SettingKind where Value == Int {
  package static func count(_ range: ClosedRange<Int>) -> SettingKind {
    SettingKind(
      expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      read: { (text: String) throws(SettingError) in try UnitScale.plain.read(text, within: range) },
      write: UnitScale.plain.write)
  }

  /// A number of bytes.
  package static func size(_ range: ClosedRange<Int>) -> SettingKind {
    let scale = UnitScale.sizes
    return SettingKind(
      expectation: "a size from \(scale.write(range.lowerBound)) to \(scale.write(range.upperBound)),"
        + " such as 64KiB, 8MiB or plain bytes",
      read: { (text: String) throws(SettingError) in try scale.read(text, within: range) },
      write: scale.write)
  }
}

extension SettingKind where Value == Duration {
  package static func duration(_ range: ClosedRange<Duration>) -> SettingKind {
    let scale = UnitScale.durations
    let milliseconds = range.lowerBound.milliseconds...range.upperBound.milliseconds
    return SettingKind(
      expectation: "a duration from \(scale.write(milliseconds.lowerBound)) to \(scale.write(milliseconds.upperBound)),"
        + " such as 500ms, 30s, 5min, 2h or plain seconds",
      read: { (text: String) throws(SettingError) in
        .milliseconds(try scale.read(text, within: milliseconds))
      },
      write: { scale.write($0.milliseconds) })
  }
}

extension SettingKind where Value == Double {
  /// A decimal number; `unit` is its name in the plural.
  package static func decimal(_ range: ClosedRange<Double>, unit: String) -> SettingKind {
    @Sendable func write(_ value: Double) -> String {
      let text = "\(value)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    return SettingKind(
      expectation: "a number of \(unit) from \(write(range.lowerBound)) to \(write(range.upperBound))",
      read: { (text: String) throws(SettingError) in
        // Double's own parser also accepts exponents, hexadecimal, infinities and NaN.
        let digits = range.lowerBound < 0 && text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard digits.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }), let value = Double(text) else {
          throw .malformed
        }
        guard range.contains(value) else { throw .outOfRange }
        return value
      },
      write: write)
  }
}

extension SettingKind where Value == UInt32 {
  /// Permission bits, in octal.
  package static var permissions: SettingKind {
    SettingKind(
      expectation: "permission bits in octal, from 0000 to 0777",
      read: { (text: String) throws(SettingError) in
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { throw .malformed }
        guard text.utf8.count <= 4 else { throw .outOfRange }
        guard let bits = UInt32(text, radix: 8) else { throw .malformed }
        guard bits <= 0o777 else { throw .outOfRange }
        return bits
      },
      write: { bits in
        let digits = String(bits, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
      })
  }
}

/// Whole numbers followed by a unit, counted in the smallest unit.
private struct UnitScale: Sendable {
  struct Unit: Sendable {
    let name: String
    let factor: Int
    /// From this number of them on the unit is written: a minute reads better as 60s.
    var writtenFrom = 1
  }

  /// The largest first.
  let units: [Unit]
  /// The factor of a number without a unit.
  let bareFactor: Int

  static let plain = UnitScale(units: [], bareFactor: 1)
  static let sizes = UnitScale(
    units: [
      Unit(name: "GiB", factor: 1 << 30), Unit(name: "MiB", factor: 1 << 20), Unit(name: "KiB", factor: 1 << 10),
    ], bareFactor: 1)
  /// In milliseconds.
  static let durations = UnitScale(
    units: [
      Unit(name: "h", factor: 3_600_000), Unit(name: "min", factor: 60_000, writtenFrom: 2),
      Unit(name: "s", factor: 1000), Unit(name: "ms", factor: 1),
    ], bareFactor: 1000)

  func read(_ text: String, within range: ClosedRange<Int>) throws(SettingError) -> Int {
    let digits = text.utf8.prefix(while: isDigit)
    let unit = text[digits.endIndex...]
    guard !digits.isEmpty, let factor = unit.isEmpty ? bareFactor : units.first(where: { $0.name == unit })?.factor
    else { throw .malformed }
    // Only digits are left, so a number that an Int cannot hold is too large, not malformed.
    guard let number = Int(Substring(digits)) else { throw .outOfRange }
    let (value, overflowed) = number.multipliedReportingOverflow(by: factor)
    guard !overflowed, range.contains(value) else { throw .outOfRange }
    return value
  }

  func write(_ value: Int) -> String {
    // Zero is a multiple of every unit; it gets the default one.
    let fitting =
      value == 0
      ? units.first { $0.factor == bareFactor }
      : units.first { value.isMultiple(of: $0.factor) && value / $0.factor >= $0.writtenFrom }
    return fitting.map { "\(value / $0.factor)\($0.name)" } ?? "\(value)"
  }
}

/// Whether the byte is an ASCII digit.
@Sendable package func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

extension Duration {
  /// In whole milliseconds, the finest that the file can express.
  fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
