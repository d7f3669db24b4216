import Printable

/// The table of a value that is an object on the wire.
///
/// Reading fills a copy of the blank value, whose properties are the defaults. Writing goes through the members in the
/// order of the table, which is that of the documents.
public struct ObjectCodec<Root: Sendable>: Sendable {
  /// The object's name in the self-description; `nil`: it is described in place.
  public let name: String?
  package let blank: Root
  @usableFromInline
  package let fields: [Field<Root>]
  public let codec: Codec<Root>
  private let members: ObjectMembers<Root>

  /// - Parameter check: The combinations of members that the table cannot describe. It gets the value, and the members
  ///   that were present.
  package init(
    _ name: String? = nil, blank: Root, @FieldsBuilder<Root> _ fields: () -> [Field<Root>],
    check: @escaping @Sendable (inout Root, JSONView) throws(CodingFailure) -> Void = { _, _ in }
  ) {
    let fields = fields()
    let (members, names) = (ObjectMembers(fields), MemberNames(fields.map(\.name)))
    self.name = name
    self.blank = blank
    self.fields = fields
    self.members = members
    self.codec = Codec(
      ObjectCodec.schema(name, blank, fields),
      write: { root, writer in
        writer.openObject()
        var root = root
        members.write(&root, &writer)
        writer.closeObject()
      },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Root in
        guard view.isObject else { throw .found("\(view)", expected: Schema.object([]).expectation) }
        if !context.leniency.contains(.members) { try names.refuseOthers(in: view) }
        var root = blank
        try members.read(view, context, &root)
        // Combinations of a later peer are not checked.
        if !context.leniency.contains(.values) { try check(&root, view) }
        return root
      })
  }

  /// Every member, in the order of the documents.
  public var descriptions: [FieldDescription] { self.fields.map { $0.describe(self.blank) } }

  package var schema: Schema { self.codec.schema() }

  private static func schema(_ name: String?, _ blank: Root, _ fields: [Field<Root>]) -> Schema {
    if let name { .reference(name) } else { .object(fields.map { $0.describe(blank) }) }
  }

  /// These members for a value that contains this one and has them among its own.
  @inlinable
  package func fields<Outer>(within path: FieldPath<Outer, Root>) -> [Field<Outer>] {
    self.fields.map { $0.within(path) }
  }

  package func write(_ root: Root, _ writer: inout JSONWriter) { self.codec.write(root, &writer) }

  /// The members without the brackets around them.
  package func writeMembers(of root: Root, _ writer: inout JSONWriter) {
    var root = root
    self.members.write(&root, &writer)
  }

  package func read(_ view: JSONView, _ context: ReadingContext) throws(CodingFailure) -> Root {
    try self.codec.read(view, context)
  }
}

/// A value with one form on the wire.
public protocol WireValue: Sendable {
  static var codec: Codec<Self> { get }
}

/// A value that is an object on the wire, with a table.
public protocol WireObject: WireValue {
  static var wire: ObjectCodec<Self> { get }
}

extension WireObject {
  public static var codec: Codec<Self> { self.wire.codec }

  /// The object as documents show it, with each member's example.
  package static var example: JSONValue {
    .object(Dictionary(uniqueKeysWithValues: self.wire.descriptions.map { ($0.name, $0.example) }))
  }
}

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
