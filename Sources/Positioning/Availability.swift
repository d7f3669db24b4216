/// Why there is or is not a fresh fix. If several apply, the last in this order is reported.
public enum Availability: String, Hashable, Sendable, CaseIterable, Comparable {
  /// There is a fix that is as fresh as requested.
  case available
  /// A fix is searched for, and there is none yet; the receiver is on, or rests until the next attempt.
  case searching
  /// The newest fix is older than requested.
  case stale
  /// There was a fix, and the receiver reports that it has none now.
  case lost
  /// The client's permission gives less accuracy than requested.
  case accuracyLimited
  /// Nobody needs the receiver.
  case poweredDown
  /// gpsd has no device, or the device sends nothing.
  case receiverMissing
  /// gpsd serves as many clients as it can.
  case gpsdFull
  /// gpsd cannot be reached.
  case gpsdDown
  /// The client may not know.
  case denied
  /// Unknown to a client: its connection is lost, or a later daemon sent a value that it does not know. No daemon sends
  /// it, and it is below all others.
  case unknown

  /// The values that a daemon sends.
  public static let allCases: [Availability] = [
    .available, .searching, .stale, .lost, .accuracyLimited, .poweredDown, .receiverMissing, .gpsdFull, .gpsdDown,
    .denied,
  ]

  public static func < (left: Availability, right: Availability) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    Availability.allCases.firstIndex(of: self) ?? -1
  }
}
