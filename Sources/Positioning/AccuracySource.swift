/// Where a fix's horizontal accuracy comes from.
public enum AccuracySource: String, Hashable, Sendable, CaseIterable {
  /// Standard deviations that the receiver gave for this fix (NMEA's GST and GBS).
  case standardDeviations
  /// Standard deviations that the receiver gave a little earlier, because those of this fix are missing.
  case earlierDeviations
  /// The receiver's own estimate, in its binary protocol.
  case receiver
  /// An estimate of gpsd, a radius with a probability of 95 %.
  case nominal95
  /// The horizontal dilution of precision, multiplied by the configured error per unit.
  case dilution
  /// The configured accuracy for receivers that report none.
  case assumed
  /// No source: the receiver's estimate or dilution of precision is too large to be meaningful.
  case vague
}
