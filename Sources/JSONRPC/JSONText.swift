import FoundationEssentials

/// The one way in which this package writes JSON: one line, keys sorted, slashes as they are.
package enum JSONText {
  /// - Precondition: the value holds no number that is not finite, and its encoding throws no error of its own.
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      preconditionFailure("A value that has no JSON was to be sent: \(error)")
    }
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
