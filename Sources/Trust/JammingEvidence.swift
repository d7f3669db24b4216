import Positioning
import ReceiverPorts

/// The evidence `jamming`: what the receiver says itself. u-blox's indicator says how much a continuous wave disturbs the
/// reception, from 0 to 255; its state says what it makes of that, if it is set to look for it.
///
/// A computer or a bad supply nearby raises both as well, so only what stays counts, and weakly. Whether the fixes are wrong they do not
/// say.
struct JammingEvidence: Hashable, Sendable {
  private static let high = 200
  private static let confirmation: Duration = .seconds(5)
  /// gpsd leaves an indicator of 0 out, and neither is in every report of an epoch.
  private static let longestBreak: Duration = .seconds(5)

  private var indicator = Persistence(longestBreak: JammingEvidence.longestBreak)
  private var state = Persistence(longestBreak: JammingEvidence.longestBreak)

  /// A report; one without the indicator says nothing.
  mutating func received(_ indicator: Int?, at arrival: Instant) -> Finding {
    indicator.map { Self.finding(&self.indicator, isSaid: $0 >= Self.high, at: arrival) } ?? .silent
  }

  /// The receiver's word; `nil` says nothing.
  mutating func received(_ state: Reception.Jamming?, at arrival: Instant) -> Finding {
    state.map { Self.finding(&self.state, isSaid: $0 != .clear, at: arrival) } ?? .silent
  }

  /// The session ended.
  mutating func interrupted() {
    self.indicator.end()
    self.state.end()
  }

  private static func finding(_ persistence: inout Persistence, isSaid: Bool, at arrival: Instant) -> Finding {
    guard isSaid else {
      persistence.end()
      return .silent
    }
    return persistence.said(at: arrival) >= Self.confirmation ? .weak : .silent
  }
}
