/// The common part of requests and notifications: the type consists of the message's parameters.
public protocol MessageType: WireValue {
  /// The name on the wire.
  static var method: String { get }
  /// One sentence for the self-description.
  static var summary: String { get }
  /// The parameters in the order of the documents.
  static var parameters: [FieldDescription] { get }
}

extension MessageType where Self: WireObject {
  public static var parameters: [FieldDescription] { self.wire.descriptions }
}

/// A message that is answered exactly once.
public protocol RequestType: MessageType {
  associatedtype Result: Sendable
  /// How the result is written and read.
  static var resultCodec: Codec<Result> { get }
  /// The result, for the self-description.
  static var result: ResultDescription { get }
  /// The errors of its own that it may be answered with, for the self-description.
  static var errors: [RPCError.Code] { get }
  /// The parameters and the members of the result that the self-description's example has beside the required ones.
  static var usual: Set<String> { get }
  /// Whether a batch may contain it. A request that may wait, or makes a subscription, would delay the batch's other
  /// answers.
  static var isAllowedInBatch: Bool { get }
}

extension RequestType {
  public static var isAllowedInBatch: Bool { true }
  public static var errors: [RPCError.Code] { [] }
  public static var usual: Set<String> { [] }
}

extension RequestType where Result: WireObject {
  public static var resultCodec: Codec<Result> { Result.codec }
}

/// A message that is not answered.
public protocol NotificationType: MessageType {}

extension RequestType where Result == JSONValue {
  public static var resultCodec: Codec<JSONValue> { JSONValue.codec }
}
