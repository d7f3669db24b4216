import Geodesy
package import Positioning
package import Systemd

/// What a program has set in its client object before it starts, or while it is active.
package struct LocationNeed: Hashable, Sendable {
  package var level = RequestedLevel.exact
  /// Metres; 0: every location is announced.
  package var distanceThreshold: UInt32 = 0
  /// Seconds; 0: every location is announced.
  package var timeThreshold: UInt32 = 0

  package init() {}

  /// The subscription that brings such locations, and needs no more of the receiver.
  ///
  /// A program that wants a city gets significant changes, between which the receiver sleeps.
  package var subscription: SubscriptionChange {
    // More than the longest that a subscription takes is as good as never.
    let interval = Duration.seconds(min(self.timeThreshold, 86_400))
    let distance = Double(min(self.distanceThreshold, 1_000_000))
    var change = SubscriptionChange()
    change.accuracy = self.level.demand
    if self.level.isCoarse {
      change.mode = .significant
      change.significantDistance = max(Self.cityDistance, distance)
      change.significantInterval = max(Self.cityInterval, interval)
    } else {
      change.mode = .continuous
      if distance > 0 { change.minDistance = distance }
      if interval > .seconds(1) { change.minInterval = interval }
    }
    return change
  }

  static let cityDistance = 1000.0
  static let cityInterval = Duration.seconds(300)

  /// Whether a location is announced after another, by both thresholds.
  func announces(_ next: Location, after last: Location?) -> Bool {
    guard let last else { return true }
    // A receiver's second is not exact: without this every other fix would be too early for a threshold of one second.
    if next.arrival - last.arrival + .milliseconds(500) < .seconds(self.timeThreshold) { return false }
    return self.distanceThreshold == 0 || next.distance(from: last) >= Double(self.distanceThreshold)
  }
}

/// How accurately a program wants the position, in GeoClue's numbers (`GClueAccuracyLevel`).
package enum RequestedLevel: UInt32, Hashable, Sendable, CaseIterable {
  /// The program does not say, which is Qt's default: it counts as exact.
  case none = 0
  case country = 1
  case city = 4
  case neighborhood = 5
  case street = 6
  case exact = 8

  /// The finest level that is not above the number.
  package init(number: UInt32) {
    self = Self.allCases.last { $0.rawValue <= number } ?? .none
  }

  /// What is requested of the receiver. Fixes that are worse are delivered all the same, as GeoClue does.
  package var demand: AccuracyDemand {
    switch self {
    case .country, .city: .city
    case .neighborhood: .neighborhood
    case .street: .block
    case .exact, .none: .room
    }
  }

  /// The precision that a person is asked for: a program that wants a city needs no more than the reduced one.
  package var precision: Precision { self.isCoarse ? .reduced : .precise }

  /// Whether a reduced position is enough.
  var isCoarse: Bool { self == .country || self == .city }
}

/// A fix as GeoClue's `Location` has it.
package struct Location: Hashable, Sendable {
  let fix: Fix
  /// When the fix arrived. A receiver's own time may be wrong by decades.
  let time: Timestamp

  var arrival: Instant { self.fix.arrival }

  func distance(from other: Location) -> Double {
    Geodesy.distance(from: other.fix.coordinate, to: self.fix.coordinate)
  }

  package var properties: [String: BusValue] {
    let milliseconds = UInt64(max(0, self.time.milliseconds))
    return [
      "Latitude": .double(self.fix.latitude),
      "Longitude": .double(self.fix.longitude),
      // The radius of 68 %; of what is unknown GeoClue has -1.
      "Accuracy": .double(self.fix.horizontalAccuracy ?? -1),
      "Altitude": .double(self.fix.altitude ?? -Double.greatestFiniteMagnitude),
      "Speed": .double(self.fix.speed ?? -1),
      "Heading": .double(self.fix.course ?? -1),
      "Description": .string(""),
      "Timestamp": .structure([.uint64(milliseconds / 1000), .uint64(milliseconds % 1000 * 1000)]),
    ]
  }
}
