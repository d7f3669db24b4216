package import Positioning

extension DeliveryReason {
  /// Those that the daemon gives.
  package static let all: [DeliveryReason] = [
    .lost, .restored, .available, .changed, .paused, .resumed, .significantChange, .acquiring, .acquired,
    .acquisitionFailed, .distance, .timeout, .flush, .ended,
  ]
}
