import Positioning

extension Script {
  /// The script of a seed. The seed decides which kinds of faults there are at all, how often they come, and how busy the
  /// programs are, so that rare pairs meet.
  ///
  /// - Parameter hasAdditions: Whether persons, relays and earlier versions may be there too.
  package init(seed: UInt64, hasAdditions: Bool = true) {
    if hasAdditions, seed.isMultiple(of: Self.placesPeriod) {
      self.init(placesOf: seed / Self.placesPeriod)
      self.number = seed
      return
    }
    // Each part draws from numbers of its own, so that a change in one leaves the others as they are.
    func numbers(_ part: UInt64) -> SeededRandom { SeededRandom(seed: seed &* 1_000_003 &+ part) }
    var shape = numbers(1)
    let length = Duration.seconds(Int64.random(in: 2...10, using: &shape) * 3600)
    var way = numbers(2)
    let track = Self.track(for: length, &way)
    var people = numbers(3)
    var themes = numbers(6)
    let theme = Self.one(of: Theme.allCases, &themes)
    let programs = Self.programs(for: length, on: track, theme, &people)
    var failures = numbers(4)
    self.init(
      seed: seed, length: length, track: track, programs: programs,
      faults: Self.faults(for: length, of: programs, theme, &failures))
    var device = numbers(5)
    self.rung = Self.one(of: [.watch, .watch, .watch, .ublox, .mediaTek, .unit], &device)
    guard hasAdditions else { return }
    guard !Self.hasDesktop(seed) else {
      var desktop = numbers(13)
      self.addDesktop(&desktop)
      return
    }
    guard !Self.isForgetful(seed) else {
      var assistance = numbers(14)
      self.addAssistance(&assistance)
      return
    }
    var additions = numbers(7)
    self.add(&additions)
    let plain = self
    if self.isPlain {
      var receivers = numbers(9)
      self.addReceivers(&receivers)
    }
    guard self == plain else { return }
    var programsAndAdministrators = numbers(10)
    self.addPrograms(&programsAndAdministrators)
    var libraries = numbers(11)
    self.addLibraries(&libraries)
    var hostile = numbers(12)
    self.addHostile(&hostile)
  }

  /// What a world is about.
  private enum Theme: CaseIterable {
    /// Everything.
    case mixed
    /// Programs of one kind, so that nobody else needs the receiver for them.
    case alone
    /// Registrations that outlive programs, and a daemon that is killed again and again.
    case durable
    /// Programs that want each fix, and a receiver that fails.
    case followed
  }

  static func seconds(_ range: ClosedRange<Int>, _ random: inout SeededRandom) -> Duration {
    .seconds(Int64(Int.random(in: range, using: &random)))
  }

  static func one<Value>(of values: [Value], _ random: inout SeededRandom) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  /// Stays, and ways between them on foot, by bicycle, by car and by train.
  private static func track(for length: Duration, _ random: inout SeededRandom) -> Track {
    var legs: [Track.Leg] = []
    var time = Duration.zero
    func add(_ leg: Track.Leg) {
      legs.append(leg)
      time += leg.duration
    }
    while time < length {
      add(Track.Leg(Self.seconds(300...9000, &random), speed: 0, course: 0))
      let course = Double.random(in: 0..<360, using: &random)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let (speed, most): (Double, Int) =
          switch Int.random(in: 0..<10, using: &random) {
          case 0..<4: (1.4, 1500)
          case 4..<6: (5, 1800)
          case 6..<9: (Double.random(in: 8...30, using: &random), 1800)
          case _: (89, 900)
          }
        let turn = Double.random(in: -60...60, using: &random)
        add(Track.Leg(Self.seconds(60...most, &random), speed: speed, course: course + turn))
      }
    }
    return Track(legs)
  }

  private static func programs(
    for length: Duration, on track: Track, _ theme: Theme, _ random: inout SeededRandom
  ) -> [ProgramPlan] {
    let rests = track.rests(atLeast: .seconds(300))
    var plans: [ProgramPlan] = []
    func isDrawn(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func period() -> (from: Duration, to: Duration) {
      let from = length * Double.random(in: 0...0.6, using: &random)
      let to = isDrawn(50) ? length + Script.calm : from + length * Double.random(in: 0.1...0.5, using: &random)
      return (from, to)
    }
    func uid() -> UInt32 { 1000 + UInt32.random(in: 0...2, using: &random) }
    let kinds: ClosedRange<Int> =
      switch theme {
      case .mixed: 0...99
      case .alone: Self.one(of: [0...19, 20...29, 30...34, 35...44, 45...74, 75...87, 100...104, 105...109], &random)
      case .durable: 45...87
      case .followed: Self.one(of: [20...29, 20...34, 20...44, 88...109], &random)
      }
    for number in 0..<Int.random(in: theme == .alone ? 1...2 : 1...6, using: &random) {
      let (from, to) = period()
      let durable = theme == .durable || isDrawn(60)
      let kind: ProgramPlan.Kind =
        switch Int.random(in: kinds, using: &random) {
        case 0..<20:
          .asks(
            every: Self.seconds(20...3000, &random), accuracy: Self.one(of: [15, 100, 1000], &random),
            timeout: Self.one(of: [5, 30, 90], &random), maxAge: Self.one(of: [nil, 0, 10, 120], &random))
        case 20..<30: .follows(interval: Self.one(of: [1, 10, 60], &random), distance: 0)
        case 30..<35: .overhears
        case 35..<45: .notices(distance: Self.one(of: [200, 500, 2000], &random))
        case 45..<75:
          .watches(
            (0..<Int.random(in: 1...4, using: &random)).map { Self.region(number: $0, at: rests, &random) },
            durable: durable)
        case 75..<88: .visits(durable: durable)
        case 88..<92: .watchesAsGpsd(polls: durable)
        case 92..<96: .readsSentences
        case 96..<100: .watchesStatus
        case 100..<105:
          .borrows(every: Self.seconds(600...3600, &random), duration: Int.random(in: 30...900, using: &random))
        case _:
          .collects(
            interval: Self.one(of: [1, 5, 30], &random), timeout: Self.one(of: [60, 300, 900], &random))
        }
      plans.append(ProgramPlan("program\(number)", uid: uid(), kind, from: from, to: to))
    }
    return plans + Self.company(for: length)
  }

  /// The programs of every world.
  static func company(for length: Duration) -> [ProgramPlan] {
    let calm = length + EverythingRecovers.bound
    return [
      ProgramPlan("status", uid: 0, .watchesStatus, from: .seconds(1), to: length + Script.calm),
      // In the calm it must get what it asks for.
      ProgramPlan(
        "calm", .asks(every: .seconds(120), accuracy: 100, timeout: 90), from: calm + .seconds(60),
        to: length + Script.leaving),
    ]
  }

  static func region(
    number: Int, at rests: [(from: Duration, to: Duration, place: Track.Place)], _ random: inout SeededRandom
  ) -> ProgramPlan.RegionPlan {
    var center = rests.randomElement(using: &random)?.place ?? Track.Place(east: 0, north: 0)
    let radius: Double = Self.one(of: [60, 150, 300, 1000], &random)
    let offset = Double.random(in: -0.5...0.5, using: &random) * radius
    center.east += offset
    return ProgramPlan.RegionPlan(
      id: "region\(number)", center: center, radius: radius,
      dwellTime: Bool.random(using: &random) ? Int.random(in: 30...1800, using: &random) : nil,
      latency: Int.random(in: 0..<3, using: &random) == 0 ? 300 : nil)
  }

  private static func faults(
    for length: Duration, of programs: [ProgramPlan], _ theme: Theme, _ random: inout SeededRandom
  ) -> [Fault] {
    let kinds: [(Fault.Kind, ClosedRange<Int>)] = [
      (.gpsdDown, 2...600), (.gpsdHangs, 5...300), (.unplugged, 5...900), (.noSky, 30...3600), (.suspend, 20...7200),
      (.stopped, 2...300), (.killed, 1...120), (.ended, 30...60), (.powerCut, 5...600), (.diskFull, 10...900),
      (.diskBroken, 5...300), (.clockStep(.seconds(3600)), 1...1), (.clockStep(.seconds(-7200)), 1...1),
      (.unread(program: programs.randomElement(using: &random)?.name ?? ""), 20...900), (.denied(uid: 1001), 20...900),
      (.disabled, 10...600), (.reduced(uid: 1002), 60...3600),
      (.busy, 10...600), (.deaf, 5...600), (.jumps, 60...1800), (.frozen, 60...900),
    ]
    // One world in six has no fault.
    guard Int.random(in: 0..<6, using: &random) > 0 else { return [] }
    let chosen = kinds.filter { kind in
      let isDrawn = Int.random(in: 0..<4, using: &random) == 0
      return isDrawn || Self.isSure(kind.0, in: theme)
    }
    let count = Int.random(in: theme == .durable ? 6...20 : 1...6, using: &random)
    var faults: [Fault] = []
    for (kind, range) in chosen {
      for _ in 0..<Int.random(in: 1...count, using: &random) {
        let at = length * Double.random(in: 0...1, using: &random)
        // All end before the calm.
        faults.append(Fault(kind, at: at, lasts: min(Self.seconds(range, &random), length - at)))
      }
    }
    return Self.apart(faults.sorted { $0.at < $1.at })
  }

  private static func isSure(_ kind: Fault.Kind, in theme: Theme) -> Bool {
    switch theme {
    case .mixed, .alone: false
    case .durable: kind == .killed || kind == .powerCut
    case .followed: kind == .noSky || kind == .frozen
    }
  }

  /// Faults of one kind, and those in which the daemon does not run, follow each other, since one cannot begin in
  /// another.
  static func apart(_ faults: [Fault]) -> [Fault] {
    var kept: [Fault] = []
    for fault in faults {
      let clashes = kept.contains {
        let isSame =
          $0.kind == fault.kind || ($0.kind.isAbsence && fault.kind.isAbsence)
          || ($0.kind.isOfDisk && fault.kind.isOfDisk)
          || ($0.kind.isOfGpsd && fault.kind.isOfGpsd) || ($0.kind.isOfPermission && fault.kind.isOfPermission)
        return isSame && fault.at < $0.at + $0.lasts + .seconds(70)
      }
      if !clashes { kept.append(fault) }
    }
    return kept
  }
}

extension Fault.Kind {
  fileprivate var isOfDisk: Bool { self == .diskFull || self == .diskBroken || self == .locked || self == .powerCut }
  fileprivate var isOfGpsd: Bool {
    self == .gpsdDown || self == .gpsdHangs || self == .powerCut || self == .receiver(.mute)
  }
  fileprivate var isOfPermission: Bool {
    switch self {
    case .denied, .reduced, .disabled, .granted: true
    case _:
      false
    }
  }
}
