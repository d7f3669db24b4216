import Broker
import PositionProtocol
import Positioning

extension PositionUpdateNotification {
  init(_ update: PositionUpdate, now: Instant) {
    self.init(
      subscription: update.subscription.number, state: SubscriptionObject.State(update.state),
      availability: update.availability, fix: update.fix,
      fixes: update.fixes.isEmpty ? nil : update.fixes,
      achievedAccuracy: update.achievedAccuracy, reason: update.reason.map { DeliveryReason($0) },
      isReplay: update.isReplay, isRepeat: update.isRepeat, dropped: update.dropped > 0 ? update.dropped : nil)
  }

  init(_ update: PositionUpdate, durable: String, eventId: Int, now: Instant) {
    self.init(update, now: now)
    self.subscription = nil
    self.durable = durable
    self.eventId = eventId
  }
}

extension RegionEventNotification {
  init(_ event: RegionEvent, durable: String? = nil, eventId: Int? = nil, now: Instant) {
    self.init(
      id: event.region, durable: durable, eventId: eventId, event: event.kind, state: event.state,
      fix: event.fix, isInferred: event.isInferred,
      probability: event.probability?.toThousandths)
  }
}

extension DeliveryReason {
  init(_ reason: PositionUpdate.Reason) {
    switch reason {
    case .lost: self = .lost
    case .restored: self = .restored
    case .available: self = .available
    case .changed: self = .changed
    case .paused: self = .paused
    case .resumed: self = .resumed
    case .significantChange: self = .significantChange
    case .acquiring: self = .acquiring
    case .acquired: self = .acquired
    case .acquisitionFailed: self = .acquisitionFailed
    case .distance: self = .distance
    case .timeout: self = .timeout
    case .flush: self = .flush
    case .ended: self = .ended
    }
  }
}

extension EndReason {
  init(_ end: SubscriptionEnd) {
    switch end {
    case .cancelled: self = .cancelled
    case .expired: self = .expired
    case .unavailable: self = .unavailable
    case .replaced: self = .replaced
    }
  }
}
