package import JSONRPC

extension JSONValue {
  /// The same object with these members, which replace those of the same name. It traps on a value that is no object,
  /// because the test would show nothing.
  package func with(_ members: [String: JSONValue]) -> JSONValue {
    guard case .object(let old) = self else { preconditionFailure("\(self) is no object, and has no members") }
    return .object(old.merging(members) { _, new in new })
  }
}
