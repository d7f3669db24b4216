import FoundationEssentials

/// The one way in which this package writes JSON: one line, keys sorted, slashes as they are.
package enum JSONText {
  /// What is made of parts that surely have a JSON.
  ///
  /// - Precondition: the value holds no number that is not finite, and its encoding throws no error of its own.
  package static func encode(_ value: some Encodable) -> [UInt8] {
    do throws(NoJSON) {
      return try self.encodeIfPossible(value)
    } catch {
      preconditionFailure("A value that has no JSON was to be sent: \(error)")
    }
  }

  /// What comes of the world's numbers, one of which may have no JSON.
  package static func encodeIfPossible(_ value: some Encodable) throws(NoJSON) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      throw NoJSON(description: "\(type(of: value)) has no JSON: \(error)")
    }
  }

  /// A value cannot be written: it holds a number that is not finite, for example.
  package struct NoJSON: Error, CustomStringConvertible {
    package let description: String
  }

  /// Decodes a whole text.
  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  /// A number without an exponent or a fraction of zero, where it can do without.
  static func number(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

extension JSONText {
  /// Decodes a whole text with what the value needs to know.
  static func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type, from bytes: [UInt8], configuration: Value.DecodingConfiguration
  ) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes), configuration: configuration)
  }
}
