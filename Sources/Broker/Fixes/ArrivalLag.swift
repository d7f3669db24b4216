import Positioning

/// How much later than at best a receiver's positions arrive: a link with a buffer, such as a bridge to Bluetooth or WiFi,
/// may hold them back longer and longer, and each still looks new when it arrives.
///
/// The receiver's clock and the one that counts since boot advance alike, whatever either shows. So the least difference
/// between arrival and receiver's time in a session is a lag of zero, and what exceeds it is lag. How late the best one
/// was cannot be known.
struct ArrivalLag: Hashable, Sendable {
  /// A lag up to this is the usual spread of arrivals: sentences of one second may take the whole second at 4800 baud.
  static let bound: Duration = .seconds(2)
  /// By how much the system's clock may be faster than the receiver's: while it is corrected, by 500 parts in a million.
  static let drift = 0.0005

  private var last: (time: Timestamp, arrival: Instant)? {
    get { self.lastTime.flatMap { time in self.lastArrival.map { (time, $0) } } }
    set { (self.lastTime, self.lastArrival) = (newValue?.time, newValue?.arrival) }
  }
  private var lastTime: Timestamp?
  private var lastArrival: Instant?
  private var lag: Duration = .zero

  /// The lag if it is beyond the bound; then it belongs to the age.
  var counted: Duration? { self.lag > Self.bound ? self.lag : nil }

  /// The first position of an epoch.
  mutating func received(time: Timestamp?, arrival: Instant) {
    guard let time else { return }
    defer { self.last = (time, arrival) }
    // A clock that went back was set: then nothing is known of the lag.
    guard let last, time > last.time else { return self.lag = .zero }
    let (gap, step) = (arrival - last.arrival, time - last.time)
    self.lag = max(.zero, self.lag + gap - step - gap * Self.drift)
  }

  /// The session has ended.
  mutating func sessionEnded() { self = ArrivalLag() }
}
