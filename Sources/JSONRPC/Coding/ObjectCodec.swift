import Printable

/// The table of a value that is an object on the wire.
///
/// Reading fills a copy of the blank value, whose properties are the defaults, and writing goes through the members in
/// the order of the table, which is that of the documents.
public struct ObjectCodec<Root: Sendable>: Sendable {
  /// Under which the self-description has the object; `nil`, it is described where it stands.
  public let name: String?
  package let blank: Root
  package let fields: [Field<Root>]
  /// What the table cannot say: what goes together. It sees what was read, and which members were there.
  private let check: (@Sendable (inout Root, JSONView) throws(CodingFailure) -> Void)?

  package init(
    _ name: String? = nil, blank: Root, @FieldsBuilder<Root> _ fields: () -> [Field<Root>],
    check: (@Sendable (inout Root, JSONView) throws(CodingFailure) -> Void)? = nil
  ) {
    self.name = name
    self.blank = blank
    self.fields = fields()
    self.check = check
  }

  /// Every member, in the order of the documents.
  public var descriptions: [FieldDescription] { self.fields.map { $0.describe(self.blank) } }

  public var codec: Codec<Root> {
    Codec(
      self.schema, write: { root, writer in self.write(root, &writer) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Root in
        try self.read(view, context)
      })
  }

  package var schema: Schema {
    if let name = self.name { .reference(name) } else { .object(self.descriptions) }
  }

  /// The same members for a value that holds this one, and has them beside its own.
  package func fields<Outer>(within path: FieldPath<Outer, Root>) -> [Field<Outer>] {
    self.fields.map { $0.within(path) }
  }

  package func write(_ root: Root, _ writer: inout JSONWriter) {
    writer.openObject()
    self.writeMembers(of: root, &writer)
    writer.closeObject()
  }

  /// The members without the brackets around them.
  package func writeMembers(of root: Root, _ writer: inout JSONWriter) {
    for field in self.fields where field.applies.map({ $0(root) }) ?? true { field.write(root, field.key, &writer) }
  }

  package func read(_ view: JSONView, _ context: ReadingContext) throws(CodingFailure) -> Root {
    guard view.isObject else { throw .found("\(view)", expected: Schema.object([]).expectation) }
    if !context.leniency.contains(.members) { try self.refuseUnknown(in: view) }
    var root = self.blank
    try self.readMembers(of: view, context, into: &root)
    return root
  }

  package func readMembers(
    of view: JSONView, _ context: ReadingContext, into root: inout Root
  ) throws(CodingFailure) {
    for field in self.fields {
      guard let read = field.read else { continue }
      do throws(CodingFailure) {
        try read(view[field.nameBytes], context, &root)
      } catch {
        throw error.under(field.name)
      }
    }
    if let check { try check(&root, view) }
  }

  /// A member that would be passed over is an error that says so: a typing mistake is never a silent default.
  private func refuseUnknown(in view: JSONView) throws(CodingFailure) {
    // Of two mistakes always the same is reported.
    var unknown: String?
    for (key, _) in view.members {
      let name = key.string ?? ""
      if !self.fields.contains(where: { $0.name == name }), name < unknown ?? "\u{10FFFF}" { unknown = name }
    }
    guard let unknown else { return }
    let known = self.fields.map(\.name)
    let suggestion = Spelling.nearest(to: unknown, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
    throw CodingFailure(
      path: unknown.shortened,
      .unknown(
        suggestion: suggestion, expected: known.isEmpty ? "no parameters" : "any of \(known.joined(separator: ", "))"))
  }
}

/// A value that has one form on the wire.
public protocol WireValue: Sendable {
  static var codec: Codec<Self> { get }
}

/// A value that is an object on the wire, described by one table.
public protocol WireObject: WireValue {
  static var wire: ObjectCodec<Self> { get }
}

extension WireObject {
  public static var codec: Codec<Self> { self.wire.codec }

  /// The object as the documents show it: each member's example.
  package static var example: JSONValue {
    .object(Dictionary(uniqueKeysWithValues: self.wire.descriptions.map { ($0.name, $0.example) }))
  }
}
