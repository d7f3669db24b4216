/// One member of an object on the wire: its name, type with unit and range, whether it may be absent, an example and
/// one sentence. Reading, writing, checking and describing it all follow from this.
///
/// What makes a field is inlinable, so that the module of the tables has functions for its own types. Generic ones would
/// have the runtime look types up for each value, which takes longer than writing it.
public struct Field<Root: Sendable>: Sendable {
  @usableFromInline
  package let name: String
  let key: [UInt8]
  let nameBytes: [UInt8]
  /// The member's description; the blank value has the defaults.
  @usableFromInline
  package let describe: @Sendable (Root) -> FieldDescription
  /// Writes the member with its key, if it is present.
  @usableFromInline
  package var write: @Sendable (inout Root, [UInt8], inout JSONWriter) -> Void
  /// Takes the member over; `nil`, it is only written. Without a view the member is absent.
  @usableFromInline
  package var read: (@Sendable (JSONView?, ReadingContext, inout Root) throws(CodingFailure) -> Void)?

  @usableFromInline
  package init(
    _ name: String, describe: @escaping @Sendable (Root) -> FieldDescription,
    write: @escaping @Sendable (inout Root, [UInt8], inout JSONWriter) -> Void,
    read: (@Sendable (JSONView?, ReadingContext, inout Root) throws(CodingFailure) -> Void)?
  ) {
    self.name = name
    self.nameBytes = Array(name.utf8)
    self.key = JSONWriter.key(name)
    self.describe = describe
    self.write = write
    self.read = read
  }
}

/// The property of a member.
@usableFromInline
package typealias FieldPath<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

extension Field {
  /// A member that is always present.
  @inlinable
  package static func required<Value: Sendable>(
    _ name: String, _ path: FieldPath<Root, Value>, _ codec: Codec<Value>,
    example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
  ) -> Field {
    let property = StoredProperty(path)
    let (write, read) = (codec.write, codec.read)
    return Field(
      name,
      describe: { _ in FieldDescription(name, codec.schema(), .required, example: example(), sentence) },
      write: { root, key, writer in
        writer.key(key)
        write(property.value(of: &root), &writer)
      },
      read: { (view: JSONView?, context: ReadingContext, root: inout Root) throws(CodingFailure) in
        guard let view else { throw .found("missing", expected: codec.schema().expectation) }
        property.set(try read(view, context), of: &root)
      })
  }

  /// A member that is absent if its value is unknown or does not apply.
  ///
  /// - Parameter value: The value that absence stands for, if there is one.
  @inlinable
  package static func optional<Value: Sendable>(
    _ name: String, _ path: FieldPath<Root, Value?>, _ codec: Codec<Value>, default value: JSONValue? = nil,
    example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
  ) -> Field {
    let property = StoredProperty(path)
    let (write, read) = (codec.write, codec.readIfKnown)
    return Field(
      name,
      describe: { _ in
        let presence = value.map { FieldDescription.Presence.defaulted($0) } ?? .optional
        return FieldDescription(name, codec.schema(), presence, example: example(), sentence)
      },
      write: { root, key, writer in
        guard let value = property.value(of: &root) else { return }
        writer.key(key)
        write(value, &writer)
      },
      read: { (view: JSONView?, context: ReadingContext, root: inout Root) throws(CodingFailure) in
        guard let view, !view.isNull else { return }
        property.set(try read(view, context), of: &root)
      })
  }

  /// A member that is always written; if it is absent, the default of the table's blank value remains.
  ///
  /// - Parameter namesDefault: Whether the description says the default. What only the daemon writes needs none.
  @inlinable
  package static func defaulted<Value: Sendable>(
    _ name: String, _ path: FieldPath<Root, Value>, _ codec: Codec<Value>, namesDefault: Bool = true,
    example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
  ) -> Field {
    let property = StoredProperty(path)
    return Field(
      name,
      describe: { blank in
        let presence = namesDefault ? .defaulted(codec.json(blank[keyPath: path])) : FieldDescription.Presence.optional
        return FieldDescription(name, codec.schema(), presence, example: example(), sentence)
      },
      write: { root, key, writer in
        writer.key(key)
        codec.write(property.value(of: &root), &writer)
      },
      read: { (view: JSONView?, context: ReadingContext, root: inout Root) throws(CodingFailure) in
        guard let view, !view.isNull, let value = try codec.readIfKnown(view, context) else { return }
        property.set(value, of: &root)
      })
  }

  /// A member that is present only if it is true.
  @inlinable
  package static func flag(
    _ name: String, _ path: FieldPath<Root, Bool>, _ sentence: String
  ) -> Field {
    let property = StoredProperty(path)
    return Field(
      name,
      describe: { _ in FieldDescription(name, .boolean, .optional, example: true, sentence) },
      write: { root, key, writer in
        guard property.value(of: &root) else { return }
        writer.key(key)
        writer.boolean(true)
      },
      read: { (view: JSONView?, context: ReadingContext, root: inout Root) throws(CodingFailure) in
        guard let view, !view.isNull else { return }
        property.set(try Codec<Bool>.boolean.read(view, context), of: &root)
      })
  }

  /// A member that follows from others and from the moment at which it is written: an age, for example. Reading checks
  /// it.
  ///
  /// - Parameter take: What reading takes of it; nothing unless it is given.
  @inlinable
  package static func derived<Value: Sendable>(
    _ name: String, _ codec: Codec<Value>, isOptional: Bool = false,
    example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String,
    _ value: @escaping @Sendable (inout Root, CodingMoment) -> Value?,
    taking take: @escaping @Sendable (Value, inout Root) -> Void = { _, _ in }
  ) -> Field {
    Field(
      name,
      describe: { _ in
        FieldDescription(name, codec.schema(), isOptional ? .optional : .required, example: example(), sentence)
      },
      write: { root, key, writer in
        guard let value = value(&root, writer.moment) else { return }
        writer.key(key)
        codec.write(value, &writer)
      },
      read: { (view: JSONView?, context: ReadingContext, root: inout Root) throws(CodingFailure) in
        if let view, !(isOptional && view.isNull) {
          if let value = try codec.readIfKnown(view, context) { take(value, &root) }
        } else if !isOptional {
          throw .found("missing", expected: codec.schema().expectation)
        }
      })
  }

  /// This member, written only for some values.
  @inlinable
  package func when(_ applies: @escaping @Sendable (Root) -> Bool) -> Field {
    var field = self
    field.write = { [write] root, key, writer in
      if applies(root) { write(&root, key, &writer) }
    }
    return field
  }

  /// This member of a value that is inside another.
  @inlinable
  package func within<Outer: Sendable>(_ path: FieldPath<Outer, Root>) -> Field<Outer> {
    let (describe, write, property) = (self.describe, self.write, StoredProperty(path))
    var field = Field<Outer>(
      self.name, describe: { (outer: Outer) in describe(outer[keyPath: path]) },
      write: { (outer: inout Outer, key: [UInt8], writer: inout JSONWriter) in
        property.modify(of: &outer) { inner in write(&inner, key, &writer) }
      },
      read: nil)
    if let read = self.read {
      field.read = { (view: JSONView?, context: ReadingContext, outer: inout Outer) throws(CodingFailure) in
        try property.modify(of: &outer) { (inner: inout Root) throws(CodingFailure) in
          try read(view, context, &inner)
        }
      }
    }
    return field
  }
}

/// Collects a table's fields one by one, so that the compiler checks each expression alone.
@resultBuilder
public enum FieldsBuilder<Root: Sendable> {
  public static func buildExpression(_ field: Field<Root>) -> [Field<Root>] { [field] }
  public static func buildExpression(_ fields: [Field<Root>]) -> [Field<Root>] { fields }
  public static func buildBlock(_ fields: [Field<Root>]...) -> [Field<Root>] { fields.flatMap { $0 } }
}

extension Field {
  /// A list that is absent where it is empty.
  @inlinable
  package static func filled<Element: Sendable>(
    _ name: String, _ path: FieldPath<Root, [Element]>, _ codec: Codec<[Element]>,
    example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
  ) -> Field {
    self.absent(where: { $0.isEmpty }, name, path, codec, example: example(), sentence)
  }

  /// A number of things that is absent where there are none.
  @inlinable
  package static func count(
    _ name: String, _ path: FieldPath<Root, Int>, example: @escaping @autoclosure @Sendable () -> JSONValue,
    _ sentence: String
  ) -> Field {
    let codec = Codec<Int>.integer(minimum: 1).map(to: { max(0, $0) }, from: { $0 })
    return self.absent(where: { $0 <= 0 }, name, path, codec, example: example(), sentence)
  }

  @inlinable
  package static func absent<Value: Sendable>(
    where isAbsent: @escaping @Sendable (Value) -> Bool, _ name: String, _ path: FieldPath<Root, Value>,
    _ codec: Codec<Value>, example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
  ) -> Field {
    let property = StoredProperty(path)
    let (write, read) = (codec.write, codec.read)
    return Field(
      name, describe: { _ in FieldDescription(name, codec.schema(), .optional, example: example(), sentence) },
      write: { root, key, writer in
        let value = property.value(of: &root)
        guard !isAbsent(value) else { return }
        writer.key(key)
        write(value, &writer)
      },
      read: { (view: JSONView?, context: ReadingContext, root: inout Root) throws(CodingFailure) in
        guard let view, !view.isNull else { return }
        property.set(try read(view, context), of: &root)
      })
  }
}

/// The property of a value that a member is written from and read into.
///
/// Each access by a key path makes the runtime walk the path again, which takes hundreds of instructions. A table is
/// made once and used for ever, so the offset of the stored property is determined once.
@usableFromInline
package struct StoredProperty<Root, Value>: Sendable {
  @usableFromInline let path: FieldPath<Root, Value>
  /// In bytes; `nil` if the property is not stored, but computed or observed.
  @usableFromInline let offset: Int?

  @inlinable
  package init(_ path: FieldPath<Root, Value>) {
    self.path = path
    self.offset = MemoryLayout<Root>.offset(of: path)
  }

  /// The property of that value, which is `inout` only to be passed by its address: a value that is passed as it is, is
  /// copied as a whole for each of its members.
  ///
  /// What makes it safe to use memory so: `MemoryLayout.offset` promises that the property, as its type has it, is at
  /// this offset of every value, and has none for a property for which that does not hold.
  @inlinable
  package func value(of root: inout Root) -> Value {
    guard let offset = self.offset else { return root[keyPath: self.path] }
    return unsafe withUnsafePointer(to: &root) { whole in
      unsafe UnsafeRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Changes the property of that value in place; see `value(of:)`.
  @inlinable
  package func modify<Failure>(
    of root: inout Root, _ change: (inout Value) throws(Failure) -> Void
  ) throws(Failure) {
    guard let offset = self.offset else { return try change(&root[keyPath: self.path]) }
    try unsafe withUnsafeMutablePointer(to: &root) { (whole: UnsafeMutablePointer<Root>) throws(Failure) in
      let property = unsafe UnsafeMutableRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Value.self)
      try unsafe change(&property.pointee)
    }
  }

  /// Sets the property of that value.
  @inlinable
  package func set(_ value: Value, of root: inout Root) {
    self.modify(of: &root) { $0 = value }
  }
}
