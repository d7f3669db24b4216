import Printable

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
