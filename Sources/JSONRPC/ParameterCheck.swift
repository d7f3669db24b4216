/// Checks a message's parameters against its table, without looking further into them than the table says.
///
/// Where the table is satisfied the typed decoding that follows cannot meet anything that it does not expect.
struct ParameterCheck {
  let fields: [FieldDescription]

  /// - Throws: `RPCError` -32602 that names the parameter, what it is and what was expected.
  func check(_ container: KeyedDecodingContainer<AnyKey>) throws {
    let known = Set(self.fields.map(\.name))
    // Of two mistakes always the same is told.
    if let unknown = container.allKeys.lazy.map(\.stringValue).filter({ !known.contains($0) }).min() {
      throw self.unknownParameter(unknown)
    }
    for field in self.fields {
      if let violation = self.violation(of: field, in: container) { throw violation }
    }
  }

  private func violation(of field: FieldDescription, in container: KeyedDecodingContainer<AnyKey>) -> RPCError? {
    let found: String
    if container.contains(AnyKey(field.name)) {
      do {
        let value = try container.decode(ShallowValue.self, forKey: AnyKey(field.name))
        // What need not be there may as well be null.
        if field.schema.accepts(value) || (value == .null && !field.isRequired) { return nil }
        found = "\(value)"
      } catch {
        // The text is JSON, so all that no type takes is a number such as 1e999.
        found = "a number out of range"
      }
    } else if field.isRequired {
      found = "missing"
    } else {
      return nil
    }
    return .invalidParameter(path: field.name, found: found, expected: field.schema.expectation)
  }

  private func unknownParameter(_ name: String) -> RPCError {
    let known = self.fields.map(\.name)
    let suggestion = Spelling.nearest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
    let expected = known.isEmpty ? "no parameters" : "any of \(known.joined(separator: ", "))"
    return RPCError(
      code: .invalidParams,
      message: "Invalid params: unknown parameter \(name.quoted)\(suggestion), expected \(expected)",
      data: ["path": .string(name.shortened), "expected": .string(expected)])
  }
}
