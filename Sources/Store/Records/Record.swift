import JSONRPC

/// A value that is stored as a JSON text, the body, in its row of the database.
///
/// One table lists the members. A member that is added later is optional or has a default, so that older bodies can be
/// read; a renamed one needs a step of the schema. Moments count from the boot of the row's clock.
protocol Record: Sendable {
  static var record: ObjectCodec<Self> { get }
  /// Moves the moments from the row's clock to that of this boot.
  mutating func map(by clock: ClockMapping)
}

extension Record {
  mutating func map(by clock: ClockMapping) {}

  var body: String {
    do throws(JSONWriter.NoJSON) {
      return String(decoding: try Self.record.codec.encode(self), as: UTF8.self)
    } catch {
      preconditionFailure("a record has no JSON: \(error)")
    }
  }

  /// - Throws: if the text is no such record. The error contains no value.
  init(body: String) throws(UnreadableRecord) {
    let document: JSONDocument
    do throws(RPCError) {
      document = try JSONDocument(Array(body.utf8))
    } catch {
      throw UnreadableRecord("no JSON")
    }
    do throws(CodingFailure) {
      // An unknown enum value is an error, because it could not be stored again.
      self = try Self.record.read(document.root, ReadingContext(leniency: [.members]))
    } catch {
      throw UnreadableRecord(error)
    }
  }

  /// The record with its moments on this boot's clock.
  init(body: String, clock: ClockMapping) throws(UnreadableRecord) {
    try self.init(body: body)
    self.map(by: clock)
  }
}

/// Why a body cannot be used.
struct UnreadableRecord: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Leaves out the value, which may be a position: the log has none.
  fileprivate init(_ failure: CodingFailure) {
    let reason =
      switch failure.problem {
      case .found(_, let expected), .unknown(_, let expected): "not \(expected)"
      case .described(let text): text
      }
    self.init(failure.path.isEmpty ? reason : "\(failure.path): \(reason)")
  }
}

/// No document shows the tables of the store, so its fields have no examples and sentences.
extension Field {
  static func required<Value: Sendable>(
    _ name: String, _ path: FieldPath<Root, Value>, _ codec: Codec<Value>
  ) -> Field {
    .required(name, path, codec, example: .null, "")
  }

  static func optional<Value: Sendable>(
    _ name: String, _ path: FieldPath<Root, Value?>, _ codec: Codec<Value>
  ) -> Field {
    .optional(name, path, codec, example: .null, "")
  }

  /// A member that is always written; older bodies may lack it.
  static func defaulted<Value: Sendable>(
    _ name: String, _ path: FieldPath<Root, Value>, _ codec: Codec<Value>
  ) -> Field {
    .defaulted(name, path, codec, example: .null, "")
  }

  /// A member that is written only if it is true.
  static func flag(_ name: String, _ path: FieldPath<Root, Bool>) -> Field { .flag(name, path, "") }
}

// Damaged data may still have the right form. Values that computations cannot handle are treated as unreadable, like broken
// JSON, so that they are set aside and do not end the daemon.

/// A place must be on the globe.
func checkPlace(_ latitude: Double, _ longitude: Double) throws(CodingFailure) {
  guard abs(latitude) <= 90, abs(longitude) <= 180 else {
    throw CodingFailure(.described("a place that is not on the globe"))
  }
}

/// A counter must have room for further increments.
func checkCounter(_ number: Int) throws(CodingFailure) {
  guard (0...1 << 52).contains(number) else { throw CodingFailure(.described("a count that nothing reaches")) }
}

/// A number such as an accuracy must be positive.
func checkPositive(_ number: Double) throws(CodingFailure) {
  guard number > 0, number.isFinite else { throw CodingFailure(.described("a measure that is not positive")) }
}
