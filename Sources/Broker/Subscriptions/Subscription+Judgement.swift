import Positioning

extension Fix {
  /// The finest level that the fix reaches at that moment.
  func achievedAccuracy(at now: Instant) -> AccuracyLevel? {
    AccuracyLevel.achieved(accuracy: self.horizontalAccuracy, age: self.age(at: now))
  }
}

extension Availability {
  /// Whether there are fixes, as good as the client may have them.
  package var meansFixes: Bool { self == .available || self == .accuracyLimited }

  /// Whether a client that had fixes gets none because of it.
  var isFault: Bool {
    switch self {
    case .lost, .receiverMissing, .gpsdFull, .gpsdDown: true
    case .available, .searching, .stale, .accuracyLimited, .poweredDown, .denied, .unknown: false
    }
  }
}
