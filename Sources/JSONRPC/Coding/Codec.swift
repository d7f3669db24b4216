/// How values of one type are written, read and described: the parts of an object's table.
public struct Codec<Value: Sendable>: Sendable {
  /// The schema of such values. It is made on demand, since most programs never describe themselves.
  @usableFromInline
  package let schema: @Sendable () -> Schema
  @usableFromInline
  package let write: @Sendable (Value, inout JSONWriter) -> Void
  @usableFromInline
  package let read: @Sendable (JSONView, ReadingContext) throws(CodingFailure) -> Value
  /// Reads a value of an optional member; `nil` where it is one that only a later version knows.
  @usableFromInline
  package let readIfKnown: @Sendable (JSONView, ReadingContext) throws(CodingFailure) -> Value?

  @inlinable
  package init(
    _ schema: @escaping @autoclosure @Sendable () -> Schema,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void,
    read: @escaping @Sendable (JSONView, ReadingContext) throws(CodingFailure) -> Value,
    readIfKnown: (@Sendable (JSONView, ReadingContext) throws(CodingFailure) -> Value?)? = nil
  ) {
    self.schema = schema
    self.write = write
    self.read = read
    if let readIfKnown {
      self.readIfKnown = readIfKnown
    } else {
      self.readIfKnown = { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Value? in
        try read(view, context)
      }
    }
  }
}

extension Codec {
  /// A codec of an object that is only written, such as a program's output.
  package static func written(_ members: @escaping @Sendable (Value, inout JSONWriter) -> Void) -> Codec {
    Codec(
      .any,
      write: { value, writer in
        writer.openObject()
        members(value, &writer)
        writer.closeObject()
      },
      read: { (_: JSONView, _: ReadingContext) throws(CodingFailure) -> Value in
        throw CodingFailure(.described("is only written"))
      })
  }

  /// Encodes a whole text.
  ///
  /// - Throws: If the value contains a number that is not finite.
  package func encode(
    _ value: Value, moment: CodingMoment = .none
  ) throws(JSONWriter.NoJSON) -> [UInt8] {
    // Enough for most results.
    var writer = JSONWriter(moment: moment, reserving: 1024)
    self.write(value, &writer)
    if let failure = writer.failure { throw failure }
    return writer.bytes
  }

  /// Decodes a whole text.
  ///
  /// - Throws: `RPCError` with the position of the syntax error, or the member that does not match.
  package func decode(
    _ bytes: [UInt8], context: ReadingContext = ReadingContext(leniency: [.members, .values])
  ) throws(RPCError) -> Value {
    let document = try JSONDocument(bytes)
    do throws(CodingFailure) {
      return try self.read(document.root, context)
    } catch {
      throw RPCError(error)
    }
  }

  /// The value as a document shows it.
  @usableFromInline
  package func json(_ value: Value) -> JSONValue {
    do {
      return try JSONValue.codec.decode(try self.encode(value))
    } catch {
      preconditionFailure("An example has no JSON: \(error)")
    }
  }

  /// A codec of another type with the same values on the wire.
  @inlinable
  package func map<Other: Sendable>(
    to: @escaping @Sendable (Value) -> Other, from: @escaping @Sendable (Other) -> Value
  ) -> Codec<Other> {
    self.converting(to: { (value: Value) throws(CodingFailure) -> Other in to(value) }, from: from)
  }

  /// A codec of another type, whose conversion may fail.
  @inlinable
  package func converting<Other: Sendable>(
    _ schema: (@Sendable () -> Schema)? = nil,
    to: @escaping @Sendable (Value) throws(CodingFailure) -> Other,
    from: @escaping @Sendable (Other) -> Value
  ) -> Codec<Other> {
    let (write, read, readIfKnown, own) = (self.write, self.read, self.readIfKnown, schema ?? self.schema)
    return Codec<Other>(
      own(), write: { write(from($0), &$1) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Other in
        try to(try read(view, context))
      },
      readIfKnown: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Other? in
        guard let value = try readIfKnown(view, context) else { return nil }
        return try to(value)
      })
  }
}
