/// A durable name, which makes a registration outlive its connection.
public struct DurableRequest: Hashable, Sendable {
  /// 1 to 64 bytes of UTF-8 without control characters.
  public var name: String
  /// A system unit that an event starts when no client is attached; `nil`: none, or as it was.
  public var wake: String?

  public init(name: String, wake: String? = nil) {
    self.name = name
    self.wake = wake
  }

  /// Bytes of UTF-8.
  public static let nameLengths = 1...64

  /// Whether something can be registered under the name.
  package static func isValid(name: String) -> Bool {
    self.nameLengths.contains(name.utf8.count)
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
