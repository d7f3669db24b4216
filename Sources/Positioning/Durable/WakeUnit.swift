/// The units that an event may start: system services, by their full names.
package enum WakeUnit {
  private static let suffix = ".service"

  /// Whether systemd accepts this as the name of a service that can be started.
  ///
  /// An `@` is for an instance of a template, and needs text on both sides. It is not a path: units are found by name.
  package static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count <= UnitName.longest, bytes.ends(with: Self.suffix) else { return false }
    let stem = bytes.dropLast(Self.suffix.utf8.count)
    guard !stem.isEmpty, stem.allSatisfy({ UnitName.isAllowed($0) }) else { return false }
    guard let at = stem.firstIndex(of: UInt8(ascii: "@")) else { return true }
    return at != stem.startIndex && at + 1 != stem.endIndex
  }
}
