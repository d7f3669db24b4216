import Positioning

/// The standard workloads.
extension Workload {
  private static let hour = 3600.0
  private static let day = 86400.0

  static func all(seed: UInt64) -> [Workload] {
    var random = SeededRandom(seed: seed &* 7919)
    return [
      Self.cityApp(&random), Self.navigator(&random), Self.deferredTracker(&random), Self.quietNight(&random),
      Self.oneShots(&random), Self.commute(&random), Self.bursts(&random), Self.parkedCar(&random),
      Self.bicycle(&random), Self.car(&random),
    ]
  }

  /// A weather app, for instance: a fix in 10 minutes.
  private static func cityApp(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("one city-level app all day", isAnnounced: true, days: 4)
    workload.trackers = [Tracker(interval: 600, span: 60..<4 * Self.day)]
    workload.closeBridges(&random)
    return workload
  }

  private static func navigator(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("a navigator for an hour beside three trackers", isAnnounced: true, days: 4)
    workload.trackers = [120, 300, 900].map { interval in
      let start = Double.random(in: 0...interval, using: &random)
      return Tracker(interval: interval, span: start.rounded()..<4 * Self.day)
    }
    for day in stride(from: 0.0, to: 4, by: 1) {
      let start = (day * Self.day + Double.random(in: 7...19, using: &random) * Self.hour).rounded()
      workload.trackers.append(Tracker(interval: 1, span: start..<start + Self.hour, accuracy: .room))
    }
    workload.closeBridges(&random)
    return workload
  }

  private static func deferredTracker(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("a deferred tracker", isAnnounced: true, days: 4)
    workload.trackers = [Tracker(interval: 120, span: 60..<4 * Self.day, isDeferred: true)]
    workload.closeBridges(&random)
    return workload
  }

  /// Ten hours in which one program asks once in an hour.
  private static func quietNight(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("a quiet night", isAnnounced: true, days: 4)
    workload.trackers = (0..<4).map { day in
      let start = (Double(day) * Self.day + Double.random(in: 21...22, using: &random) * Self.hour).rounded()
      return Tracker(interval: Self.hour, span: start..<min(start + 10 * Self.hour, 4 * Self.day))
    }
    return workload
  }

  private static func oneShots(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("a one-shot every 10 minutes", isAnnounced: false, days: 4)
    workload.oneShots = (0..<4 * 144).map { number in
      OneShot(at: (Double(number) * 600 + Double.random(in: 60...540, using: &random)).rounded())
    }
    return workload
  }

  /// Two ways of 15 km between home and work, with a fence at either end and one at a school on the way.
  private static func commute(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("geofences on a commute", isAnnounced: false, days: 4)
    workload.fences = [0, 6000, 15_000].map { Fence(middle: $0, radius: 200, latency: 180) }
    var places = [Float](repeating: 0, count: workload.seconds)
    var place = 0.0
    for day in stride(from: 0.0, to: 4, by: 1) {
      let leaves = day * Self.day + Double.random(in: 7...8, using: &random) * Self.hour
      let returns = day * Self.day + Double.random(in: 16...18, using: &random) * Self.hour
      for second in Int(day * Self.day)..<Int((day + 1) * Self.day) {
        // It stops now and then, as in a town.
        let speed = second / 40 % 5 == 4 ? 0.0 : 14.0
        if Double(second) >= leaves, Double(second) < returns { place = min(place + speed, 15_000) }
        if Double(second) >= returns { place = max(place - speed, 0) }
        places[second] = Float(place)
      }
    }
    workload.places = places
    workload.closeBridges(&random)
    return workload
  }

  private static func bursts(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("bursts of one-shots", isAnnounced: false, days: 4)
    for _ in 0..<24 {
      let start = Double.random(in: 0...4 * Self.day - 120, using: &random).rounded()
      // Each wants a fresh fix.
      workload.oneShots += (0..<10).map { OneShot(at: start + Double($0) * 5) }
    }
    workload.oneShots.sort { $0.at < $1.at }
    return workload
  }

  /// In a garage without sky, except for an hour on the road in the morning and one in the evening.
  private static func parkedCar(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("a parked car with no sky", isAnnounced: false, days: 4)
    workload.trackers = [Tracker(interval: 600, span: 60..<4 * Self.day)]
    var last = 0.0
    for day in stride(from: 0.0, to: 4, by: 1) {
      for hour in [7.5, 17.5] {
        let leaves = day * Self.day + (hour + Double.random(in: -1...1, using: &random)) * Self.hour
        workload.close(last..<leaves)
        last = leaves + Self.hour
      }
    }
    workload.close(last..<4 * Self.day)
    return workload
  }

  /// Two rides of three quarters of an hour each day.
  private static func bicycle(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("a tracker at 5 s by bicycle", isAnnounced: true, days: 4)
    workload.trackers = Self.trips(of: 45 * 60, &random).map {
      Tracker(interval: 5, span: $0, accuracy: .house, activity: .fitness)
    }
    workload.closeBridges(&random)
    return workload
  }

  /// Two ways of an hour each day, with the bridges and tunnels of four times as long.
  private static func car(_ random: inout SeededRandom) -> Workload {
    var workload = Workload("a navigator in a car", isAnnounced: true, days: 4)
    workload.trackers = Self.trips(of: Self.hour, &random).map {
      Tracker(interval: 1, span: $0, accuracy: .room, activity: .automotive)
    }
    for _ in 0..<4 { workload.closeBridges(&random) }
    return workload
  }

  /// One in the morning and one in the afternoon of each day.
  private static func trips(of length: Double, _ random: inout SeededRandom) -> [Range<Double>] {
    (0..<4).flatMap { day in
      [7...9, 16...18].map { hours in
        let start = (Double(day) * Self.day + Double.random(in: hours, using: &random) * Self.hour).rounded()
        return start..<start + length
      }
    }
  }

  /// Bridges and tunnels: ten in a day.
  private mutating func closeBridges(_ random: inout SeededRandom) {
    for _ in 0..<self.days * 10 {
      let start = Double.random(in: 0...Double(self.seconds) - 100, using: &random)
      self.close(start..<start + Double.random(in: 10...90, using: &random))
    }
  }
}
