import Positioning
import ReceiverPorts

/// The evidence `spoofing`: the receiver's own word, in u-blox's NAV-STATUS and SEC-SIG.
///
/// It is the only evidence that sees the signals themselves. A single indication has harmless causes too, such as a bad
/// almanac after a start; that several agree has not. Only what stays counts.
struct SpoofingEvidence: Hashable, Sendable {
  private static let confirmation: Duration = .seconds(3)
  /// The receiver may be set to say it with every few epochs.
  private static let longestBreak: Duration = .seconds(5)

  private var indicated = Persistence(longestBreak: SpoofingEvidence.longestBreak)
  private var affirmed = Persistence(longestBreak: SpoofingEvidence.longestBreak)

  /// `nil` says nothing.
  mutating func received(_ state: Reception.Spoofing?, at arrival: Instant) -> Finding {
    switch state {
    case nil: return .silent
    case .clear:
      self.interrupted()
      return .silent
    case .indicated:
      self.affirmed.end()
      return self.indicated.said(at: arrival) >= Self.confirmation ? .weak : .silent
    case .affirmed:
      let indicated = self.indicated.said(at: arrival)
      if self.affirmed.said(at: arrival) >= Self.confirmation { return .strong }
      return indicated >= Self.confirmation ? .weak : .silent
    }
  }

  /// The session ended.
  mutating func interrupted() {
    self.indicated.end()
    self.affirmed.end()
  }
}
