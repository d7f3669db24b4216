/// A kind of value: how to read it, how to write it, and how to describe it.
struct SettingKind<Value: Equatable & Sendable>: Sendable {
  /// As the end of a sentence that begins with "expected".
  let expectation: String
  let read: @Sendable (String) throws(SettingError) -> Value
  /// The inverse of `read`, in the most readable form.
  let write: @Sendable (Value) -> String

  /// The other kind, or empty.
  static func orUnset<Wrapped>(_ kind: SettingKind<Wrapped>) -> SettingKind where Value == Wrapped? {
    SettingKind(
      expectation: "nothing, or \(kind.expectation)",
      read: { (text: String) throws(SettingError) in text.isEmpty ? nil : try kind.read(text) },
      write: { value in value.map(kind.write) ?? "" })
  }
}

/// Why a value was rejected.
enum SettingError: Error {
  case malformed
  case outOfRange
  /// A name of the design that this version does not have.
  case notBuilt

  /// As the end of a sentence that begins with "key=value".
  var reason: String {
    switch self {
    case .malformed: "cannot be read"
    case .outOfRange: "is out of range"
    case .notBuilt: "is not built yet"
    }
  }
}

extension SettingKind where Value == Bool {
  static var boolean: SettingKind {
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
  /// One of a few names. `later` has those that this version does not have, for which the error says so.
  static func choice(later: [Value] = []) -> SettingKind {
    let later = later.map(\.rawValue)
    return SettingKind(
      expectation: Value.allCases.map(\.rawValue).filter { !later.contains($0) }.joined(separator: " | "),
      read: { (text: String) throws(SettingError) in
        guard let value = Value(rawValue: text) else { throw .malformed }
        guard !later.contains(text) else { throw .notBuilt }
        return value
      },
      write: \.rawValue)
  }
}
