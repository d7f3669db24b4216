import Positioning

/// The evidence `jamming`: the receiver's own indicator. u-blox's says how much a continuous wave disturbs the reception,
/// from 0 to 255; gpsd 3.26 and later report it.
///
/// It is no verdict of the receiver, and a computer or a bad supply nearby raises it as well, so only a high value that
/// stays counts, and weakly. Whether the fixes are wrong it does not say.
struct JammingEvidence: Hashable, Sendable {
  private static let high = 200
  private static let confirmation: Duration = .seconds(5)
  /// gpsd leaves an indicator of 0 out, and not every report of an epoch has one.
  private static let longestBreak: Duration = .seconds(5)

  /// Since when it has been high without a break, and when it was last.
  private var since: Instant?
  private var last: Instant?

  /// A report; one without the indicator says nothing.
  mutating func received(_ indicator: Int?, at arrival: Instant) -> Finding {
    guard let indicator else { return .silent }
    guard indicator >= Self.high else {
      self.interrupted()
      return .silent
    }
    let isBreak = self.last.map { arrival - $0 > Self.longestBreak } ?? true
    let since = isBreak ? arrival : self.since ?? arrival
    (self.since, self.last) = (since, arrival)
    return arrival - since >= Self.confirmation ? .weak : .silent
  }

  /// The session ended.
  mutating func interrupted() { (self.since, self.last) = (nil, nil) }
}
