import Positioning

/// Who needs the position when, how the device moves, and when there is sky: for some days. Times are seconds.
struct Workload {
  /// A program that gets a fix in each interval.
  struct Tracker {
    let interval: Double
    let span: Range<Double>
    var isDeferred = false
    var accuracy = AccuracyDemand.city
    var activity = Activity.other

    /// Whether it needs the receiver at full power.
    var isNavigator: Bool { self.accuracy == .room }

    /// By how much a fix may be early.
    var tolerance: Double { min(self.interval / 10, 30) }
  }

  /// A request that nobody announced, and that must be answered by a fix before its timeout.
  struct OneShot {
    let at: Double
    static let timeout = 30.0
    /// A fix that is no older answers it without the receiver.
    static let maximumAge = 60.0

    var deadline: Double { self.at + Self.timeout }
  }

  /// A circle on the device's way; its events may be late.
  struct Fence {
    /// Where on the way its middle is; metres.
    let middle: Double
    let radius: Double
    let latency: Double
    /// How long a second fix may take that confirms the first.
    static let confirmation = 60.0

    func contains(_ place: Double) -> Bool { abs(place - self.middle) < self.radius }
  }

  let name: String
  /// Whether all needs are announced, so that the bound knows them.
  let isAnnounced: Bool
  let days: Int
  var trackers: [Tracker] = []
  var oneShots: [OneShot] = []
  var fences: [Fence] = []
  /// Where the device is on its way, metres, for each second.
  var places: [Float] = []
  /// Whether there is sky, for each second.
  var hasSky: [Bool]

  init(_ name: String, isAnnounced: Bool, days: Int) {
    self.name = name
    self.isAnnounced = isAnnounced
    self.days = days
    self.hasSky = Array(repeating: true, count: days * 86400)
  }

  var seconds: Int { self.hasSky.count }

  func place(at second: Int) -> Double { self.places.isEmpty ? 0 : Double(self.places[second]) }

  /// Whether there was sky in every second of a time.
  func hasSky(from: Double, through end: Double) -> Bool {
    let first = max(Int(from), 0)
    let last = min(Int(end), self.seconds - 1)
    return first > last || self.hasSky[first...last].allSatisfy { $0 }
  }

  /// Takes the sky away.
  mutating func close(_ span: Range<Double>) {
    for second in Int(span.lowerBound)..<min(Int(span.upperBound), self.seconds) { self.hasSky[second] = false }
  }
}
