import Printable

/// The members of an object, written and read one after the other.
///
/// Each field's function first calls the one of the field before. Going through an array of fields would look simpler;
/// but its type depends on the object's, so the runtime would have to look types up for each value, and that takes
/// longer than most members do.
struct ObjectMembers<Root: Sendable>: Sendable {
  /// Writes the members that are present.
  private(set) var write: @Sendable (inout Root, inout JSONWriter) -> Void = { _, _ in }
  /// Reads the members. An error has the name of its member.
  private(set) var read: @Sendable (JSONView, ReadingContext, inout Root) throws(CodingFailure) -> Void = { _, _, _ in }

  init(_ fields: [Field<Root>]) {
    for field in fields { self.append(field) }
  }

  private mutating func append(_ field: Field<Root>) {
    let (before, key, write) = (self.write, field.key, field.write)
    self.write = { root, writer in
      before(&root, &writer)
      write(&root, key, &writer)
    }
    guard let read = field.read else { return }
    let (readBefore, name, nameBytes) = (self.read, field.name, field.nameBytes)
    self.read = { (view: JSONView, context: ReadingContext, root: inout Root) throws(CodingFailure) in
      try readBefore(view, context, &root)
      do throws(CodingFailure) {
        try read(view[nameBytes], context, &root)
      } catch {
        throw error.under(name)
      }
    }
  }
}

/// The names of an object's members.
struct MemberNames: Sendable {
  private let names: [String]
  private let bytes: [[UInt8]]

  init(_ names: [String]) {
    self.names = names
    self.bytes = names.map { Array($0.utf8) }
  }

  /// A member that would be ignored is an error: a typing mistake is never a silent default.
  func refuseOthers(in view: JSONView) throws(CodingFailure) {
    // Of two mistakes always the same is reported.
    var unknown: String?
    for (key, _) in view.members where !self.contain(key) {
      let name = key.string ?? ""
      if name < unknown ?? "\u{10FFFF}" { unknown = name }
    }
    if let unknown { throw self.failure(unknown) }
  }

  private func contain(_ key: JSONView) -> Bool {
    for name in self.bytes where key.spells(name.span) { return true }
    return false
  }

  private func failure(_ unknown: String) -> CodingFailure {
    let suggestion = Spelling.nearest(to: unknown, among: self.names).map { "; did you mean \"\($0)\"?" } ?? ""
    let expected = self.names.isEmpty ? "no parameters" : "any of \(self.names.joined(separator: ", "))"
    return CodingFailure(path: unknown.shortened, .unknown(suggestion: suggestion, expected: expected))
  }
}
