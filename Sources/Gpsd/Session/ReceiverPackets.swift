import Positioning

/// What gpsd was asked of a receiver's own messages, on one connection.
///
/// A u-blox says in some of them what gpsd does not report. Most are not set to send these, and each message that gpsd passes on
/// costs a line. So they are asked for once, and given up where none says anything.
enum ReceiverPackets: Hashable, Sendable {
  case unasked
  /// Asked for, and none has said anything so far.
  case awaited(since: Instant)
  case useful
  /// Given up.
  case useless

  /// gpsd 3.26 turns the wanted messages on some ten seconds after it has opened a receiver.
  static let timeout: Duration = .seconds(60)

  /// What to say in a watch: 1 for them, 0 for none; `nil`: nothing, which changes nothing.
  var raw: Int? {
    switch self {
    case .unasked: nil
    case .awaited, .useful: 1
    case .useless: 0
    }
  }

  /// - Parameter hasSource: Whether there is a receiver whose messages can be distinguished from those of others.
  /// - Returns: Whether gpsd is to be asked for something else.
  mutating func change(hasSource: Bool, now: Instant) -> Bool {
    switch self {
    case .unasked:
      guard hasSource else { return false }
      self = .awaited(since: now)
      return true
    case .awaited(let since):
      guard now - since > Self.timeout else { return false }
      self = .useless
      return true
    case .useful, .useless: return false
    }
  }

  /// The process did not run for so long.
  mutating func gapEnded(_ gap: Duration) {
    if case .awaited(let since) = self { self = .awaited(since: since + gap) }
  }
}
