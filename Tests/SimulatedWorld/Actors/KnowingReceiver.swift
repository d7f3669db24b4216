import Positioning
import ReceiverSimulator

/// A u-blox without a battery: it forgets everything with its supply, and searches for less time if it is given what it knew.
struct KnowingReceiver {
  /// The one that reports.
  private var model: ReceiverModel
  /// The same one in the same start, which is given nothing.
  private var bare: ReceiverModel
  private var startedAt: Instant?

  init(seed: UInt64, now: Instant) {
    self.model = ReceiverModel(settings: .forgetfulUblox(seed: seed), at: now)
    self.bare = self.model
  }

  /// It gets its supply.
  mutating func start(now: Instant) {
    self.model.deviceOpened(at: now)
    self.bare = self.model
    self.startedAt = now
  }

  /// It loses its supply.
  mutating func stop(now: Instant) {
    self.model.deviceClosed(at: now)
    self.startedAt = nil
  }

  mutating func setSky(visible: Bool, now: Instant) {
    self.model.setSky(visible: visible, at: now)
    self.bare.setSky(visible: visible, at: now)
  }

  /// gpsd writes bytes to it.
  ///
  /// - Returns: The messages with which it answers.
  mutating func received(_ bytes: [UInt8], now: Instant, at place: Track.Place, _ time: Timestamp) -> [[UInt8]] {
    let (latitude, longitude) = Track.degrees(of: place)
    let truth = Knowledge.Truth(time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    var rest = self.model.received(bytes, at: now, truth: truth)[...]
    var messages: [[UInt8]] = []
    while rest.count >= 8 {
      let length = Int(rest[rest.startIndex + 4]) | Int(rest[rest.startIndex + 5]) << 8
      messages.append(Array(rest.prefix(length + 8)))
      rest = rest.dropFirst(length + 8)
    }
    return messages
  }

  mutating func hasFix(now: Instant) -> Bool {
    if case .tracking = self.model.activity(at: now) { true } else { false }
  }

  /// The first fix of a start, once: after how long it came, and after how long it would have come if the receiver had been given
  /// nothing; `nil`: that would have been later.
  mutating func takeFirstFix(now: Instant) -> (after: Duration, without: Duration?)? {
    guard let startedAt, case .tracking(let time) = self.model.activity(at: now) else { return nil }
    self.startedAt = nil
    var without: Duration?
    if case .tracking(let time) = self.bare.activity(at: now) { without = now - time - startedAt }
    return (now - time - startedAt, without)
  }
}
