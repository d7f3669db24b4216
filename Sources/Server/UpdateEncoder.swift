import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// Encodes an update once for all clients that get the same one in the same turn.
///
/// Subscriptions are numbered from 1 for each client, so most clients' first subscriptions get the same bytes.
struct UpdateEncoder {
  /// The values on which the text depends, whoever gets it.
  private struct Key: Hashable {
    let notification: Notification

    /// Hashes what most notifications of a turn differ in: hashing a whole fix takes longer than comparing two.
    func hash(into hasher: inout Hasher) {
      switch self.notification {
      case .position(let id, let update):
        hasher.combine(id.number)
        hasher.combine(update.fix?.latitude)
        hasher.combine(update.fixes.count)
      default: hasher.combine(self.notification)
      }
    }

    init(_ notification: Notification) {
      switch notification {
      case .position(let id, let update): self.notification = .position(Self.anybodys(id), update)
      case .sky(let id, let sky): self.notification = .sky(Self.anybodys(id), sky)
      case .heading(let id, let update): self.notification = .heading(Self.anybodys(id), update)
      case .status(let id, let status, let changed): self.notification = .status(Self.anybodys(id), status, changed)
      case .visit(let id, let visit): self.notification = .visit(Self.anybodys(id), visit)
      case .region, .durable, .durableOverflow, .durableEnded, .authorization, .prompted:
        self.notification = notification
      case .ended(let id, let reason): self.notification = .ended(Self.anybodys(id), reason)
      }
    }

    private static func anybodys(_ id: SubscriptionID) -> SubscriptionID {
      SubscriptionID(client: ClientID(0), number: id.number)
    }
  }

  private var texts: [Key: [UInt8]] = [:]

  /// - Parameter message: Makes the notification; called only if its text is not cached.
  mutating func text(
    of notification: Notification, moment: CodingMoment, message: () -> some NotificationType
  ) throws(JSONWriter.NoJSON) -> [UInt8] {
    let key = Key(notification)
    if let text = self.texts[key] { return text }
    let text = try OutgoingMessage.notification(message(), moment: moment)
    self.texts[key] = text
    return text
  }

  /// Ages count from the turn, so no text is valid in the next one.
  mutating func turnEnded() { self.texts.removeAll(keepingCapacity: self.texts.count <= 64) }
}

extension PositionUpdate {
  /// Whether a newer fix supersedes it: it has nothing but its fix.
  var isSupersedable: Bool { self.reason == nil && self.fix != nil && !self.isReplay }
}
