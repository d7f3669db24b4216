import PositionClient
import Positioning
import Printable

/// The reports about the connection of a command that follows a subscription: once when it is lost, once when it is
/// restored.
struct OutageReport {
  private enum State {
    case connected
    case lost(since: Instant)
    /// It is restored, but permission is missing.
    case suspended(since: Instant)
  }

  private var state = State.connected

  /// `nil` if that was reported.
  mutating func lost(_ error: PositionError, now: Instant) -> String? {
    switch self.state {
    case .connected: self.state = .lost(since: now)
    case .suspended(let since): self.state = .lost(since: since)
    case .lost: return nil
    }
    let reason = if case .connectionLost(let reason) = error { reason } else { "\(error)" }
    return "lost the connection to positiond (\(reason)); reconnecting"
  }

  /// `nil` if it was not lost.
  ///
  /// - Parameter missed: What happens to the events in between, for people.
  mutating func stands(_ missed: String, now: Instant) -> String? {
    let since: Instant
    switch self.state {
    case .connected: return nil
    case .lost(let moment), .suspended(let moment): since = moment
    }
    self.state = .connected
    return "reconnected to positiond after \(TimeSpan.words((now - since).seconds)); \(missed)"
  }

  /// `nil` if that was reported.
  mutating func suspended(now: Instant) -> String? {
    switch self.state {
    case .connected: self.state = .suspended(since: now)
    case .lost(let since): self.state = .suspended(since: since)
    case .suspended: return nil
    }
    return "reconnected to positiond, but permission is gone; waiting until it is granted again"
  }
}
