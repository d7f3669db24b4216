/// The units that an event may start: system services, by their full names.
package enum WakeUnit {
  /// systemd's limit for the name of a unit, in bytes.
  static let longestName = 255

  private static let suffix = ".service"

  /// Whether systemd accepts this as the name of a service that can be started.
  ///
  /// Letters, digits and `:-_.\` of ASCII; an `@` is for an instance of a template, and needs text on both sides. It is
  /// not a path: units are found by name.
  package static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count <= Self.longestName, name.utf8.hasSuffix(Self.suffix) else { return false }
    let stem = bytes.dropLast(Self.suffix.utf8.count)
    guard !stem.isEmpty, stem.allSatisfy({ Self.isAllowed($0) }) else { return false }
    guard let at = stem.firstIndex(of: UInt8(ascii: "@")) else { return true }
    return at != stem.startIndex && at + 1 != stem.endIndex
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "\\"),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }
}

extension String.UTF8View {
  fileprivate func hasSuffix(_ suffix: String) -> Bool { self.reversed().starts(with: suffix.utf8.reversed()) }
}
