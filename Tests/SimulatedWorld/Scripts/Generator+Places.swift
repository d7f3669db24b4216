import Glibc
import Positioning

/// Worlds about regions, stays and visits alone. Few other things happen in them, so that what must be reported, and when,
/// is known within seconds.
extension Script {
  /// Who is there besides.
  private enum Places: CaseIterable {
    /// A program that follows the position, so that the receiver is always on.
    case followed
    /// Nobody: the receiver sleeps as long as it may.
    case asleep
    /// Only programs that want visits, and then none.
    case visits
  }

  /// One world in so many is about places.
  static let placesPeriod: UInt64 = 5

  init(placesOf seed: UInt64) {
    self.init(seed: seed, length: .zero, track: Track([]))
    var random = SeededRandom(seed: seed &* 1_000_003 &+ 8)
    self.becomePlaces(&random)
  }

  private mutating func becomePlaces(_ random: inout SeededRandom) {
    let kind = Self.one(of: Places.allCases, &random)
    let hours: ClosedRange<Int> =
      switch kind {
      case .followed: 1...2
      case .asleep: 3...7
      case .visits: 4...8
      }
    let length = Self.seconds(hours.lowerBound * 3600...hours.upperBound * 3600, &random)
    var way = Way()
    while way.time < length { way.addScene(kind == .visits, &random) }
    (self.length, self.track) = (length, Track(way.legs))
    self.rung = Self.one(of: [.watch, .watch, .ublox], &random)
    switch kind {
    case .followed:
      self.programs = [
        ProgramPlan("follows", .follows(interval: 1, distance: 0), from: .seconds(2), to: length + Self.leaving)
      ]
      self.addWatchers(way, isFollowed: true, &random)
      self.addErrors(&random)
    case .asleep:
      self.addWatchers(way, isFollowed: false, &random)
      self.addAbsences(&random)
    case .visits:
      self.addVisitors(&random)
      self.addSilences(&random)
    }
    self.programs += Self.company(for: length)
    self.faults = Self.apart(self.faults.sorted { $0.at < $1.at })
  }

  // MARK: Programs

  private mutating func addWatchers(_ way: Way, isFollowed: Bool, _ random: inout SeededRandom) {
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let isDurable = Bool.random(using: &random)
      let latency = isFollowed || Bool.random(using: &random) ? nil : Self.one(of: [60, 300, 900], &random)
      let expires = Int.random(in: 0..<4, using: &random) == 0
      // As many as an index is for.
      let count = Int.random(in: 2...(Bool.random(using: &random) ? 8 : 40), using: &random)
      let regions = (0..<count).map { number in
        var region = self.place(number, isDwelt: !expires, &random)
        region.latency = latency
        region.reportsInitial = Bool.random(using: &random)
        region.isForCrossing = Int.random(in: 0..<3, using: &random) == 0
        if expires, Bool.random(using: &random) { region.expiresIn = Int.random(in: 60...7000, using: &random) }
        return region
      }
      var plan = ProgramPlan(
        "watches\(number)", .watches(regions + (number == 0 ? way.surrounded : []), durable: isDurable),
        from: Self.seconds(3...1200, &random), to: self.length + Self.leaving)
      if Int.random(in: 0..<3, using: &random) == 0 { plan.addsAgain = Self.seconds(300...2000, &random) }
      self.programs.append(plan)
    }
  }

  /// A region on the way or at its side.
  private func place(_ number: Int, isDwelt: Bool, _ random: inout SeededRandom) -> ProgramPlan.RegionPlan {
    let radius: Double = Self.one(of: [60, 150, 300, 1000], &random)
    var center = self.track.place(at: self.length * Double.random(in: 0...1, using: &random))
    let angle = Double.random(in: 0..<2 * .pi, using: &random)
    let distance: Double =
      switch Int.random(in: 0..<3, using: &random) {
      // At the edge of it the device may rest.
      case 0: radius + Double.random(in: -10...30, using: &random)
      case 1: radius * Double.random(in: 0...0.3, using: &random)
      case _: radius * Double.random(in: 0...1.3, using: &random)
      }
    center.east += distance * sin(angle)
    center.north += distance * cos(angle)
    var region = ProgramPlan.RegionPlan(id: "region\(number)", center: center, radius: radius)
    guard isDwelt, Bool.random(using: &random) else { return region }
    region.dwellTime = Int.random(in: 30...1800, using: &random)
    // About as long as a stay: whether it is one depends on the last seconds.
    let stays = self.track.times(within: radius, of: center, until: self.length)
    if let stay = stays.randomElement(using: &random), Bool.random(using: &random) {
      let seconds = (stay.upperBound - stay.lowerBound).seconds
      region.dwellTime = max(5, Int(seconds) + Int.random(in: -13...4, using: &random))
    }
    return region
  }

  private mutating func addVisitors(_ random: inout SeededRandom) {
    for number in 0..<Int.random(in: 1...2, using: &random) {
      self.programs.append(
        ProgramPlan(
          "visits\(number)", .visits(durable: Bool.random(using: &random)), from: Self.seconds(3...600, &random),
          to: self.length * Double.random(in: 0.6...0.9, using: &random)))
    }
  }

  // MARK: Faults

  /// A receiver that errs.
  private mutating func addErrors(_ random: inout SeededRandom) {
    if Int.random(in: 0..<3, using: &random) > 0 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        self.addFault(.vague(Double.random(in: 6...30, using: &random)), 120...1500, &random)
      }
    }
    if Bool.random(using: &random) { self.addFault(.strays(every: 97), 600...6000, &random) }
  }

  /// Times in which nobody looks.
  private mutating func addAbsences(_ random: inout SeededRandom) {
    let kinds: [Fault.Kind] = Self.one(
      of: [[], [.noSky], [.killed, .stopped], [.suspend], [.noSky, .killed]], &random)
    for kind in kinds {
      for _ in 0..<Int.random(in: 1...3, using: &random) { self.addFault(kind, 70...1500, &random) }
    }
  }

  /// No sky at a departure, from which the device has come to rest when the sky is back.
  private mutating func addSilences(_ random: inout SeededRandom) {
    let rests = self.track.rests(atLeast: .seconds(900))
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        guard let rest = rests.randomElement(using: &random) else { break }
        let at = rest.to - Self.seconds(60...3000, &random)
        guard at > .zero, at < self.length else { continue }
        self.faults.append(
          Fault(.noSky, at: at, lasts: min(Self.seconds(1000...5000, &random), self.length - at)))
      }
    case 1: self.addFault(.strays(every: 31), 6000...20_000, &random)
    case _:
      // Or in a stay, before which and after which the receiver looks.
      guard Bool.random(using: &random) else { break }
      for rest in rests where rest.to - rest.from > .seconds(5000) && rest.to < self.length {
        self.faults.append(
          Fault(.noSky, at: rest.from + Self.seconds(60...700, &random), lasts: Self.seconds(1000...1300, &random)))
      }
    }
  }

  private mutating func addFault(_ kind: Fault.Kind, _ lasts: ClosedRange<Int>, _ random: inout SeededRandom) {
    let at = self.length * Double.random(in: 0.05...0.95, using: &random)
    self.faults.append(Fault(kind, at: at, lasts: min(Self.seconds(lasts, &random), self.length - at)))
  }
}

/// A way that is made scene by scene.
private struct Way {
  private(set) var legs: [Track.Leg] = []
  private(set) var time: Duration = .zero
  /// Regions around whose edge the device goes.
  private(set) var surrounded: [ProgramPlan.RegionPlan] = []

  private mutating func go(_ time: Duration, speed: Double, course: Double) {
    self.legs.append(Track.Leg(time, speed: speed, course: course))
    self.time += time
  }

  private mutating func rest(_ range: ClosedRange<Int>, _ random: inout SeededRandom) {
    self.go(Script.seconds(range, &random), speed: 0, course: 0)
  }

  /// - Parameter isLong: Whether stays are long enough for visits.
  mutating func addScene(_ isLong: Bool, _ random: inout SeededRandom) {
    let course = Double.random(in: 0..<360, using: &random)
    self.rest(isLong ? 600...7000 : 20...1500, &random)
    switch Int.random(in: 0..<(isLong ? 6 : 9), using: &random) {
    case 0, 1:
      // Through a shop, and on.
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        self.go(Script.seconds(10...35, &random), speed: 1.3, course: course)
        self.rest(60...900, &random)
        self.go(Script.seconds(10...35, &random), speed: 1.3, course: course + 180)
        self.rest(60...900, &random)
      }
    case 2: self.go(Script.seconds(60...1200, &random), speed: Script.one(of: [1.4, 5], &random), course: course)
    case 3, 4:
      for turn in [0.0, 40, -30].prefix(Int.random(in: 1...3, using: &random)) {
        let speed = Double.random(in: 8...32, using: &random)
        self.go(Script.seconds(60...900, &random), speed: speed, course: course + turn)
      }
    case 5:
      let speed = Double.random(in: 40...68, using: &random)
      self.go(Script.seconds(120...900, &random), speed: speed, course: course)
    case 6:
      // There and back.
      let (time, speed) = (Script.seconds(30...300, &random), Double.random(in: 2...25, using: &random))
      self.go(time, speed: speed, course: course)
      self.rest(10...400, &random)
      self.go(time, speed: speed, course: course + 180)
    case 7: self.goAround(course, &random)
    case _:
      // An airliner, along a parallel, where the plane of the way is true.
      self.go(Script.seconds(1100...1700, &random), speed: 250, course: Script.one(of: [90, 270], &random))
    }
  }

  /// Around a region, so near its edge that no fix shows "outside", and never into it.
  private mutating func goAround(_ course: Double, _ random: inout SeededRandom) {
    let radius: Double = Script.one(of: [60, 150], &random)
    let speed = radius / 10
    let step = 10.0
    let around = radius + 13
    self.go(.seconds(60), speed: speed, course: course)
    let begin = Track(self.legs).place(at: self.time)
    // The middle is to the right.
    let angle = (course + 90) * .pi / 180
    let center = Track.Place(east: begin.east + around * sin(angle), north: begin.north + around * cos(angle))
    let chord = 2 * around * sin(step / 2 * .pi / 180)
    let count = Int.random(in: 9...15, using: &random)
    for number in 0..<count {
      self.go(.seconds(chord / speed), speed: speed, course: course + step / 2 + Double(number) * step)
    }
    self.go(.seconds(60), speed: speed, course: course + Double(count) * step)
    var region = ProgramPlan.RegionPlan(id: "around\(self.surrounded.count)", center: center, radius: radius)
    region.isForCrossing = true
    self.surrounded.append(region)
  }
}
