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
