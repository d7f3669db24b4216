package import Positioning

extension DeliveryReason {
  /// The reasons that the daemon uses.
  package static let all: [DeliveryReason] = [
    .lost, .restored, .available, .changed, .paused, .resumed, .significantChange, .acquiring, .acquired,
    .acquisitionFailed, .distance, .timeout, .flush, .ended, .expired,
  ]
}
