import Broker
import JSONRPC
import PositionProtocol

/// A message in a client's queue that a newer one, or a withdrawal of permission, may still take out of it.
enum WaitingMessage: QueuedMessage {
  /// One that a newer update of its subscription supersedes.
  case update(SupersedableUpdate, Sensitivity)
  case notification(encoded: [UInt8], Sensitivity)
  case replies(Replies, Framing)

  var supersededBy: Int? {
    switch self {
    case .update(let update, _): update.subscription
    case .notification, .replies: nil
    }
  }

  var dropped: Int {
    get {
      switch self {
      case .update(let update, _): update.dropped
      case .notification, .replies: 0
      }
    }
    set {
      guard case .update(var update, let sensitivity) = self else { return }
      update.dropped = newValue
      self = .update(update, sensitivity)
    }
  }

  func encoded() -> [UInt8] {
    switch self {
    case .update(let update, _): update.encoded()
    case .notification(let bytes, _): bytes
    case .replies(let replies, let framing): replies.encoded(framing)
    }
  }

  /// A notification that tells too much goes; every reply stays one.
  ///
  /// - Parameter refusal: what a reply that tells too much becomes.
  func remainder(under limit: SensitivityLimit, refusal: RPCError) -> Remainder<WaitingMessage> {
    switch self {
    case .update(_, let sensitivity), .notification(_, let sensitivity):
      return limit.allows(sensitivity) ? .all : .nothing
    case .replies(var replies, let framing):
      guard replies.sensitivity > limit.level else { return .all }
      replies.withhold(above: limit.level, refusal)
      return .other(.replies(replies, framing))
    }
  }
}

/// An update that tells how many of its subscription were dropped before it.
protocol CountingNotification: NotificationType {
  var dropped: Int? { get set }
}

extension PositionUpdateNotification: CountingNotification {}
extension HeadingUpdateNotification: CountingNotification {}

/// An update that can be encoded again with the count of those dropped before it.
struct SupersedableUpdate: Sendable {
  var notification: any CountingNotification
  let subscription: Int
  let framing: Framing
  /// When it was made: its ages are of then.
  let moment: CodingMoment

  var dropped: Int {
    get { self.notification.dropped ?? 0 }
    set { self.notification.dropped = newValue > 0 ? newValue : nil }
  }

  /// It was encoded before, and only the count is new: that there is no JSON cannot be, and then nothing is sent.
  func encoded() -> [UInt8] {
    (try? OutgoingMessage.notification(self.notification, moment: self.moment)).map { self.framing.frame($0) } ?? []
  }
}
