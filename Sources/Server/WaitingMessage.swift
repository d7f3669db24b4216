import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// A message in a client's queue that may still be removed, by a newer one or when permission is taken away.
enum WaitingMessage: QueuedMessage {
  /// An update that a newer one of its subscription supersedes.
  case update(SupersedableUpdate, Sensitivity)
  case notification(encoded: [UInt8], Sensitivity)
  /// A text that a newer one of its kind supersedes. It does not say how many were superseded before it.
  case report([UInt8], kind: Int, Sensitivity)
  /// An answer that is due in any case, and the text in its place if it reveals too much.
  case answer([UInt8], otherwise: [UInt8], Sensitivity)
  case reply(Reply)

  var supersededBy: Int? {
    switch self {
    case .update(let update, _): update.subscription
    case .report(_, let kind, _): kind
    case .notification, .answer, .reply: nil
    }
  }

  var dropped: Int {
    get {
      switch self {
      case .update(let update, _): update.dropped
      case .notification, .report, .answer, .reply: 0
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
    case .notification(let bytes, _), .report(let bytes, _, _), .answer(let bytes, _, _): bytes
    case .reply(let reply): reply.encoded()
    }
  }

  /// A notification that reveals too much is dropped; a reply is replaced.
  ///
  /// - Parameter denial: The error that replaces a reply that reveals too much.
  func remainder(under limit: SensitivityLimit, denial: RPCError) -> Remainder<WaitingMessage> {
    switch self {
    case .update(_, let sensitivity), .notification(_, let sensitivity), .report(_, _, let sensitivity):
      return limit.allows(sensitivity) ? .all : .nothing
    case .answer(_, let otherwise, let sensitivity):
      return limit.allows(sensitivity) ? .all : .other(.answer(otherwise, otherwise: otherwise, .open))
    case .reply(var reply):
      guard reply.sensitivity > limit.level else { return .all }
      reply.withhold(above: limit.level, denial)
      return .other(.reply(reply))
    }
  }
}

/// An update with the number of its subscription's updates that were dropped before it.
protocol CountingNotification: NotificationType {
  var dropped: Int { get set }
}

extension PositionUpdateNotification: CountingNotification {
  var dropped: Int {
    get { self.update.dropped }
    set { self.update.dropped = newValue }
  }
}

extension HeadingUpdateNotification: CountingNotification {
  var dropped: Int {
    get { self.update.dropped }
    set { self.update.dropped = newValue }
  }
}

/// An update that can be encoded again with a new number of dropped ones.
struct SupersedableUpdate: Sendable {
  var notification: any CountingNotification
  let subscription: Int
  let framing: Framing
  /// When it was made, from which its ages count.
  let moment: CodingMoment

  var dropped: Int {
    get { self.notification.dropped }
    set { self.notification.dropped = newValue }
  }

  /// The update was encoded before and only the count is new, so encoding cannot fail. If it did, nothing would be
  /// sent.
  func encoded() -> [UInt8] {
    (try? OutgoingMessage.notification(self.notification, moment: self.moment)).map { self.framing.frame($0) } ?? []
  }
}

extension OutboundQueue<WaitingMessage> {
  mutating func append(_ message: WaitingMessage) { self.append(message, encoded: message.encoded()) }
}
