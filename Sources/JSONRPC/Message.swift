/// What requests and notifications share: the type is the message's parameters.
public protocol MessageType: Codable, Sendable {
  /// The name on the wire.
  static var method: String { get }
  /// One sentence for the self-description.
  static var summary: String { get }
  /// Every parameter, in the order of the documents. An incoming message is checked against this table, so an
  /// initialiser from a decoder meets only what the table allows.
  static var parameters: [FieldDescription] { get }
}

/// A message that is answered exactly once.
public protocol RequestType: MessageType {
  associatedtype Result: Codable & Sendable
  /// What the result looks like, for the self-description.
  static var result: ResultDescription { get }
  /// Whether a batch may hold it. What may wait or what creates a subscription would hold back a batch's other answers.
  static var isAllowedInBatch: Bool { get }
}

extension RequestType {
  public static var isAllowedInBatch: Bool { true }
}

/// A message that is not answered.
public protocol NotificationType: MessageType {}
