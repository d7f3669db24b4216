import Printable

/// Checks a message's parameters against its table, without looking further into them than the table says.
///
/// Where the table is satisfied the typed decoding that follows cannot meet anything that it does not expect.
struct ParameterCheck {
  let fields: [FieldDescription]
  /// The steps from `params` to the object, joined by dots; none for `params` itself.
  var path: String?
  /// Whether parameters that are not in the table are passed over, and so are words: their type says what they read as.
  var toleratesUnknown = false

  /// - Throws: `RPCError` -32602 that names the parameter, what it is and what was expected.
  func check(_ container: KeyedDecodingContainer<AnyKey>) throws {
    if !self.toleratesUnknown {
      let known = Set(self.fields.map(\.name))
      // Of two mistakes always the same is told.
      if let unknown = container.allKeys.lazy.map(\.stringValue).filter({ !known.contains($0) }).min() {
        throw self.unknownParameter(unknown)
      }
    }
    for field in self.fields { try self.check(field, in: container) }
  }

  private func check(_ field: FieldDescription, in container: KeyedDecodingContainer<AnyKey>) throws {
    let key = AnyKey(field.name)
    guard container.contains(key) else {
      if field.isRequired { throw self.invalid(field.name, found: "missing", expected: field.schema) }
      return
    }
    let value: ShallowValue
    do {
      value = try container.decode(ShallowValue.self, forKey: key)
    } catch {
      // The text is JSON, so all that no type takes is a number such as 1e999.
      throw self.invalid(field.name, found: "a number out of range", expected: field.schema)
    }
    // What need not be there may as well be null.
    if value == .null, !field.isRequired { return }
    guard field.schema.accepts(value) || (self.toleratesUnknown && field.schema.isWord(value)) else {
      throw self.invalid(field.name, found: "\(value)", expected: field.schema)
    }
    switch (field.schema, value) {
    case (.object(let fields), .object):
      let inner = ParameterCheck(
        fields: fields, path: self.path(to: field.name), toleratesUnknown: self.toleratesUnknown)
      try inner.check(container.nestedContainer(keyedBy: AnyKey.self, forKey: key))
    case (.array(let element), .array):
      try self.check(try container.nestedUnkeyedContainer(forKey: key), of: field.name, element: element)
    case (_, _): break
    }
  }

  /// Looks at each element. Arrays of arrays are left to their types: looking at each of many numbers costs more than
  /// reading them.
  private func check(_ container: any UnkeyedDecodingContainer, of name: String, element: Schema) throws {
    if case .array = element { return }
    var container = container
    while !container.isAtEnd {
      let place = "\(name).\(container.currentIndex)"
      let value: ShallowValue
      do {
        value = try container.decode(ShallowValue.self)
      } catch {
        throw self.invalid(place, found: "a number out of range", expected: element)
      }
      guard element.accepts(value) else { throw self.invalid(place, found: "\(value)", expected: element) }
    }
  }

  private func path(to name: String) -> String { self.path.map { "\($0).\(name)" } ?? name }

  private func invalid(_ name: String, found: String, expected: Schema) -> RPCError {
    .invalidParameter(path: self.path(to: name), found: found, expected: expected.expectation)
  }

  private func unknownParameter(_ name: String) -> RPCError {
    let known = self.fields.map(\.name)
    let suggestion = Spelling.nearest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
    let expected = known.isEmpty ? "no parameters" : "any of \(known.joined(separator: ", "))"
    return RPCError(
      code: .invalidParams,
      message:
        "Invalid params: unknown parameter \(self.path(to: name.shortened).quoted)\(suggestion), expected \(expected)",
      data: ["path": .string(self.path(to: name.shortened)), "expected": .string(expected)])
  }
}
