/// How a fix's horizontal accuracy came to be known.
public enum AccuracySource: String, Hashable, Sendable, CaseIterable, Codable {
  /// Standard deviations that the receiver gave for this fix (NMEA's GST and GBS).
  case standardDeviations
  /// Standard deviations that the receiver gave a little earlier, because this fix's have not come.
  case earlierDeviations
  /// The receiver's own estimate, in its binary protocol.
  case receiver
  /// An estimate that gpsd passes on as a radius of 95 %.
  case nominal95
  /// The horizontal dilution of precision, times the error per unit of it that the administrator set.
  case dilution
  /// The accuracy that the administrator assumes for a receiver that reports none.
  case assumed
  /// None: the receiver says that it does not know, by an estimate or a dilution of precision beyond any use.
  case vague
}
