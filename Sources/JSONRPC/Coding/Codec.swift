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

/// The moment at which a text is written or read: some members are ages, others times of the wall clock.
@usableFromInline
package struct CodingMoment: Hashable, Sendable {
  /// The time since the boot, `CLOCK_BOOTTIME`.
  package var sinceBoot: Duration
  /// The wall clock's time since 1970, UTC.
  package var since1970: Duration

  package init(sinceBoot: Duration, since1970: Duration) {
    self.sinceBoot = sinceBoot
    self.since1970 = since1970
  }

  /// For texts without times.
  package static let none = CodingMoment(sinceBoot: .zero, since1970: .zero)
}

/// How a text is read: the moment of reading, and the parts to ignore.
@usableFromInline
package struct ReadingContext: Sendable {
  /// Parts that a peer of a later version may send and that this version does not know.
  @usableFromInline
  package struct Leniency: OptionSet, Sendable {
    @usableFromInline
    package let rawValue: Int

    @usableFromInline
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Members that the table does not have.
    package static let members = Leniency(rawValue: 1)
    /// Enumeration cases that are unknown, and numbers outside of their range.
    @usableFromInline
    package static let values = Leniency(rawValue: 2)
  }

  package var moment: CodingMoment
  @usableFromInline
  package var leniency: Leniency

  package init(moment: CodingMoment = .none, leniency: Leniency = []) {
    self.moment = moment
    self.leniency = leniency
  }
}

/// Why a value of a checked text does not match its table.
@usableFromInline
package struct CodingFailure: Error, Hashable {
  package enum Problem: Hashable, Sendable {
    case found(String, expected: String)
    /// The table has no such member.
    case unknown(suggestion: String, expected: String)
    /// Each part matches its table, but not the whole.
    case described(String)
  }

  /// The names and indices that lead to the value, joined by dots.
  package var path: String
  package var problem: Problem

  package init(path: String = "", _ problem: Problem) {
    self.path = path
    self.problem = problem
  }

  @usableFromInline
  package static func found(_ found: String, expected: String, at path: String = "") -> CodingFailure {
    CodingFailure(path: path, .found(found, expected: expected))
  }

  /// This failure as seen from the enclosing value.
  package func under(_ step: String) -> CodingFailure {
    CodingFailure(path: self.path.isEmpty ? step : "\(step).\(self.path)", self.problem)
  }
}

extension RPCError {
  /// The error for parameters that cannot be read.
  package init(_ failure: CodingFailure) {
    let path = failure.path
    switch failure.problem {
    case .found(let found, let expected):
      self = .invalidParameter(path: path.isEmpty ? "params" : path, found: found, expected: expected)
    case .unknown(let suggestion, let expected):
      self.init(
        code: .invalidParams,
        message: "Invalid params: unknown parameter \(path.quoted)\(suggestion), expected \(expected)",
        data: ["path": .string(path), "expected": .string(expected)])
    case .described(let text):
      self.init(
        code: .invalidParams, message: "Invalid params: \(path): \(text)",
        data: ["path": .string(path), "expected": .string(text)])
    }
  }
}
