import Glibc

/// A kind of value: how to read it, how to write it, and how to describe it.
package struct SettingKind<Value: Equatable & Sendable>: Sendable {
  /// As the end of a sentence that begins with "expected".
  package let expectation: String
  package let read: @Sendable (String) throws(SettingError) -> Value
  /// The inverse of `read`, in the most readable form.
  package let write: @Sendable (Value) -> String

  package init(
    expectation: String, read: @escaping @Sendable (String) throws(SettingError) -> Value,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.expectation = expectation
    self.read = read
    self.write = write
  }

  /// The other kind, or empty.
  package static func orUnset<Wrapped>(_ kind: SettingKind<Wrapped>) -> SettingKind where Value == Wrapped? {
    SettingKind(
      expectation: "nothing, or \(kind.expectation)",
      read: { (text: String) throws(SettingError) in text.isEmpty ? nil : try kind.read(text) },
      write: { value in value.map(kind.write) ?? "" })
  }
}

/// Why a value was rejected.
package enum SettingError: Error {
  case malformed
  case outOfRange

  /// As the end of a sentence that begins with "key=value".
  package var reason: String {
    switch self {
    case .malformed: "cannot be read"
    case .outOfRange: "is out of range"
    }
  }
}

extension SettingKind where Value == Bool {
  package static var boolean: SettingKind {
    SettingKind(
      expectation: "yes or no",
      read: { (text: String) throws(SettingError) in
        switch text {
        case "yes", "true", "on", "1": return true
        case "no", "false", "off", "0": return false
        default: throw .malformed
        }
      },
      write: { $0 ? "yes" : "no" })
  }
}

extension SettingKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of a few names.
  package static func choice() -> SettingKind {
    SettingKind(
      expectation: Value.allCases.map(\.rawValue).joined(separator: " | "),
      read: { (text: String) throws(SettingError) in
        guard let value = Value(rawValue: text) else { throw .malformed }
        return value
      },
      write: \.rawValue)
  }
}

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
    guard !digits.isEmpty,
      let factor = unit.isEmpty ? self.bareFactor : self.units.first(where: { $0.name == unit })?.factor
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
      ? self.units.first { $0.factor == self.bareFactor }
      : self.units.first { value.isMultiple(of: $0.factor) && value / $0.factor >= $0.writtenFrom }
    return fitting.map { "\(value / $0.factor)\($0.name)" } ?? "\(value)"
  }
}

/// Whether the byte may be part of a name in topics and sections: a letter or a digit of ASCII, `-` or `_`.
@Sendable package func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
    true
  default: false
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

extension SettingKind where Value == String {
  /// A text that is taken as it is.
  ///
  /// - Parameters:
  ///   - longest: In bytes; a longer text is out of range.
  ///   - fits: Whether the text is such a value.
  package static func text(
    _ expectation: String, longest: Int = .max, where fits: @escaping @Sendable (String) -> Bool
  ) -> SettingKind {
    SettingKind(
      expectation: expectation,
      read: { (text: String) throws(SettingError) in
        guard fits(text) else { throw .malformed }
        guard text.utf8.count <= longest else { throw .outOfRange }
        return text
      },
      write: { $0 })
  }

  /// The path of a Unix socket.
  package static var socketPath: SettingKind {
    // sockaddr_un holds 108 bytes, the last of them NUL.
    .text("an absolute path of at most 107 bytes", longest: 107) { $0.utf8.first == UInt8(ascii: "/") }
  }

  /// The absolute path of a file that may not exist yet.
  package static var file: SettingKind {
    .text("a file's absolute path") { $0.utf8.first == UInt8(ascii: "/") && $0.utf8.last != UInt8(ascii: "/") }
  }

  /// A receiver as gpsd names it: a device's path, or the address of a network source.
  package static var device: SettingKind {
    .text("a device's path such as /dev/ttyACM0, as gpsd has it") { text in
      // String's search for another would bring the library of regular expressions, a megabyte, into the daemon.
      let isAddress = text.utf8.indices.contains { text.utf8[$0...].starts(with: "://".utf8) }
      return text.utf8.first == UInt8(ascii: "/") || isAddress
    }
  }

  /// The address of a TCP server, without names that would have to be looked up.
  package static var address: SettingKind {
    .text("localhost, an IPv4 address or an IPv6 address") { text in
      // The larger family's binary form has room for either.
      var address = in6_addr()
      return text == "localhost" || [AF_INET, AF_INET6].contains { unsafe inet_pton($0, text, &address) == 1 }
    }
  }
}
