/// What the text of a value may be: how to read it, how to write it, and how to say so.
struct SettingKind<Value: Equatable & Sendable>: Sendable {
  /// Ends the sentence "expected ...".
  let expectation: String
  let read: @Sendable (String) throws(SettingRefusal) -> Value
  /// The inverse of `read`, in the form that reads best.
  let write: @Sendable (Value) -> String

  /// What the other kind says, or nothing at all.
  static func orUnset<Wrapped>(_ kind: SettingKind<Wrapped>) -> SettingKind where Value == Wrapped? {
    SettingKind(
      expectation: "nothing, or \(kind.expectation)",
      read: { (text: String) throws(SettingRefusal) in text.isEmpty ? nil : try kind.read(text) },
      write: { value in value.map(kind.write) ?? "" })
  }
}

/// Why a value was refused.
enum SettingRefusal: Error {
  case malformed
  case outOfRange
  /// A name that the design knows and this version does not.
  case notBuilt

  /// Follows "key=value ".
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
      read: { (text: String) throws(SettingRefusal) in
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
  /// One of a few names. `later` names those that are coming: they deserve a better answer than a misspelling.
  static func choice(later: Set<String> = []) -> SettingKind {
    SettingKind(
      expectation: Value.allCases.map(\.rawValue).joined(separator: " | "),
      read: { (text: String) throws(SettingRefusal) in
        guard let value = Value(rawValue: text) else { throw later.contains(text) ? .notBuilt : .malformed }
        return value
      },
      write: \.rawValue)
  }
}
