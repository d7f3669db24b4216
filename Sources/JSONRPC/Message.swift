import Printable

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

/// The messages that a side understands, by method.
///
/// A class, because each session has it and each message is read with it.
public final class MethodRegistry: Sendable {
  public let requests: [any RequestType.Type]
  public let notifications: [any NotificationType.Type]
  private let requestsByMethod: [String: any RequestType.Type]
  private let notificationsByMethod: [String: any NotificationType.Type]

  /// - Precondition: No method appears twice.
  public init(requests: [any RequestType.Type] = [], notifications: [any NotificationType.Type] = []) {
    self.requests = requests
    self.notifications = notifications
    self.requestsByMethod = Dictionary(uniqueKeysWithValues: requests.map { ($0.method, $0) })
    self.notificationsByMethod = Dictionary(uniqueKeysWithValues: notifications.map { ($0.method, $0) })
  }

  public func request(_ method: String) -> (any RequestType.Type)? { self.requestsByMethod[method] }
  public func notification(_ method: String) -> (any NotificationType.Type)? { self.notificationsByMethod[method] }

  /// The error for a request with an unknown method.
  func methodNotFound(_ method: String) -> RPCError {
    if self.notificationsByMethod[method] != nil {
      return .methodNotFound(method, remark: " is a notification; send it without id")
    }
    let remark = Spelling.nearest(to: method, among: self.requestsByMethod.keys.sorted()).map {
      "; did you mean \"\($0)\"?"
    }
    return .methodNotFound(method, remark: remark ?? "")
  }
}
