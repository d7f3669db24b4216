import Broker
import PositionProtocol
import Positioning

extension PositionUpdateNotification {
  init(_ update: PositionUpdate, now: Instant) {
    self.init(
      subscription: update.subscription.number, state: SubscriptionObject.State(update.state),
      availability: update.availability, fix: update.fix.map { FixObject($0, now: now) },
      achievedAccuracy: update.achievedAccuracy, reason: update.reason.map { DeliveryReason($0) },
      isReplay: update.isReplay, isRepeat: update.isRepeat)
  }
}

extension DeliveryReason {
  init(_ reason: PositionUpdate.Reason) {
    switch reason {
    case .lost: self = .lost
    case .restored: self = .restored
    case .available: self = .available
    case .changed, .paused, .resumed, .significantChange, .acquiring, .acquired, .acquisitionFailed, .distance,
      .timeout, .flush, .ended:
      self = .changed
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
