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

  /// The same members for a value that contains this one and has them among its own.
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
