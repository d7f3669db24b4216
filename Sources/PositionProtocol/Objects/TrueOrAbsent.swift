/// A boolean that stands on the wire only where it is true.
@propertyWrapper
public struct TrueOrAbsent: Hashable, Sendable {
  public var wrappedValue: Bool

  public init(wrappedValue: Bool) { self.wrappedValue = wrappedValue }
}

extension TrueOrAbsent: Codable {
  public init(from decoder: any Decoder) throws {
    self.wrappedValue = try decoder.singleValueContainer().decode(Bool.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.wrappedValue)
  }
}

// The coding that the compiler makes for a type prefers these to the general ones, which know no absence.
extension KeyedDecodingContainer {
  func decode(_ type: TrueOrAbsent.Type, forKey key: Key) throws -> TrueOrAbsent {
    try self.decodeIfPresent(type, forKey: key) ?? TrueOrAbsent(wrappedValue: false)
  }
}

extension KeyedEncodingContainer {
  mutating func encode(_ value: TrueOrAbsent, forKey key: Key) throws {
    try self.encodeIfPresent(value.wrappedValue ? true : nil, forKey: key)
  }
}
