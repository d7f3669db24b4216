package import JSONRPC

extension JSONValue {
  /// The same object with these members, which take the place of those of the same name. It traps on what is no object:
  /// a test that went on with that would show nothing.
  package func with(_ members: [String: JSONValue]) -> JSONValue {
    guard case .object(let old) = self else { preconditionFailure("\(self) is no object, and has no members") }
    return .object(old.merging(members) { _, new in new })
  }
}
