import Positioning

/// Worlds about gpsd and receivers as bad as real ones, each with what is wrong at the moments at which it matters.
extension Script {
  private enum Scene: CaseIterable {
    /// gpsd makes several reports of an epoch, and one in 40 has a flaw.
    case epochs
    /// A receiver's clock is set back.
    case clocks
    /// A link that holds reports back, and a receiver that hangs.
    case links
    /// gpsd ends, is mute, or has a receiver that sends nothing.
    case losses
    /// gpsd has more than one receiver, or one that changes its name.
    case neighbors
    /// The machine sleeps while a request waits, and while a receiver searches.
    case gaps
    /// A receiver hears nothing when it is stopped or started, or the daemon is killed then.
    case starts
    /// gpsd hangs when it is asked whether it has closed the receiver.
    case probes
    /// The receiver sleeps between two fixes.
    case sleeps
  }

  /// Half of those without another addition are about gpsd and receivers alone.
  mutating func addReceivers(_ random: inout SeededRandom) {
    guard Bool.random(using: &random) else { return }
    let scene = Self.one(of: Scene.allCases, &random)
    self.length = .seconds(Int64.random(in: 5400...9000, using: &random))
    var speech = Speech()
    speech.release = Self.one(of: Speech.Release.all, &random)
    speech.isInPieces = Int.random(in: 0..<3, using: &random) == 0
    speech.skies = Bool.random(using: &random) ? Self.one(of: Speech.Skies.allCases, &random) : nil
    self.rung = .watch
    self.faults = []
    let end = self.length + Self.leaving
    self.programs = [
      ProgramPlan("status", uid: 0, .watchesStatus, from: .seconds(1), to: self.length + Self.calm),
      ProgramPlan(
        "calm", .asks(every: .seconds(120), accuracy: 100, timeout: 90),
        from: self.length + EverythingRecovers.bound + .seconds(60), to: end),
    ]
    var each = ProgramPlan("each", .follows(interval: 0, distance: 0), from: .seconds(10), to: end)
    switch scene {
    case .epochs:
      speech.epochs = Self.one(of: Speech.Epochs.allCases, &random)
      speech.flaw = Self.one(of: Speech.Flaw.allCases, &random)
      // What is wrong is one time and not the other.
      if speech.flaw == .dateAhead, speech.epochs == .twoTimes { speech.epochs = .whole }
      speech.skies = Self.one(of: Speech.Skies.allCases, &random)
      // What jumps is not trusted, so others would not get it.
      if speech.flaw == .noAccuracy { each.integrity = "any" }
      self.programs += [each, ProgramPlan("sky", .watchesSky, from: .seconds(600), to: .seconds(3000))]
      if speech.flaw == .noAccuracy { self.addFault(.jumps, at: .seconds(60), lasts: self.length * 0.9) }
      self.addPeriods("skies", .watchesSky, every: 300...900, lasting: 20...100, &random)
    case .clocks:
      self.track = Track([Track.Leg(self.length + Self.calm, speed: 0, course: 0)])
      speech.epochs = Self.one(of: [.whole, .divided], &random)
      var (any, beats) = (each, each)
      (any.integrity, beats.name, beats.heartbeat) = ("any", "beats", 0.5)
      self.programs += [any, beats]
      self.addFaults(.receiver(.clockBack), every: 900...2000, lasting: 200...600, &random)
    case .links:
      self.programs.append(each)
      self.addFaults(.receiver(.lagging), every: 600...1500, lasting: 60...180, &random)
      self.addFaults(.frozen, every: 700...1500, lasting: 20...60, &random)
    case .losses:
      self.programs.append(each)
      self.addFaults(.gpsdDown, every: 300...900, lasting: Bool.random(using: &random) ? 1...9 : 1...90, &random)
      self.addFaults(
        .receiver(Bool.random(using: &random) ? .silent : .mute), every: 500...2000, lasting: 60...300, &random)
    case .neighbors:
      let isRenamed = Int.random(in: 0..<3, using: &random) == 0
      if isRenamed { speech.isInPieces = false }
      speech.neighbor = isRenamed ? .ships : Self.one(of: Speech.Neighbor.allCases, &random)
      self.programs.append(each)
      if isRenamed { self.addFaults(.receiver(.renamed), every: 500...1500, lasting: 5...60, &random) }
    case .gaps: self.addGaps(&random)
    case .starts: self.addStarts(&random)
    case .probes:
      speech.keepsOpen = Bool.random(using: &random)
      self.addProbes(&random)
    case .sleeps:
      self.programs.append(
        ProgramPlan(
          "seldom", .follows(interval: Self.one(of: [300, 600], &random), distance: 0), from: .seconds(10), to: end))
    }
    self.speech = speech
    self.faults = Self.apart(self.faults.sorted { $0.at < $1.at })
  }

  private mutating func addFault(_ kind: Fault.Kind, at: Duration, lasts: Duration) {
    guard at > .zero, at < self.length else { return }
    self.faults.append(Fault(kind, at: at, lasts: min(lasts, self.length - at)))
  }

  private mutating func addFaults(
    _ kind: Fault.Kind, every: ClosedRange<Int>, lasting: ClosedRange<Int>, _ random: inout SeededRandom
  ) {
    var at = Self.seconds(every, &random)
    while at < self.length {
      self.addFault(kind, at: at, lasts: Self.seconds(lasting, &random))
      at += Self.seconds(every, &random)
    }
  }

  /// Programs that come one after the other.
  ///
  /// - Returns: When each comes and goes.
  @discardableResult
  private mutating func addPeriods(
    _ name: String, _ kind: ProgramPlan.Kind, every: ClosedRange<Int>, lasting: ClosedRange<Int>,
    _ random: inout SeededRandom
  ) -> [(from: Duration, to: Duration)] {
    var periods: [(from: Duration, to: Duration)] = []
    var at = Duration.seconds(20)
    while at < self.length {
      let to = at + Self.seconds(lasting, &random)
      self.programs.append(ProgramPlan("\(name)\(periods.count)", kind, from: at, to: to))
      periods.append((at, to))
      at = to + Self.seconds(every, &random)
    }
    return periods
  }

  private mutating func addGaps(_ random: inout SeededRandom) {
    if Bool.random(using: &random) {
      // What is asked while there is no sky waits, and the machine sleeps meanwhile.
      let periods = self.addPeriods(
        "asks", .asks(every: .seconds(3600), accuracy: 2, timeout: 90, maxAge: Self.one(of: [0, 10], &random)),
        every: 200...600, lasting: 900...1500, &random)
      for (number, (from, _)) in periods.enumerated() {
        let sleep = Self.seconds(100...700, &random)
        // Each second one has no sky until its timeout.
        guard number.isMultiple(of: 2) else {
          self.addFault(.noSky, at: from - .seconds(10), lasts: .seconds(130))
          continue
        }
        self.addFault(.noSky, at: from - .seconds(10), lasts: sleep + .seconds(50))
        self.addFault(.suspend, at: from + .seconds(5), lasts: sleep)
      }
    } else {
      let periods = self.addPeriods(
        "follows", .follows(interval: 1, distance: 0), every: 200...400, lasting: 2500...3500, &random)
      for (from, _) in periods {
        self.addFault(
          .suspend, at: from + .milliseconds(Int64.random(in: 600...9000, using: &random)),
          lasts: Self.seconds(1000...1500, &random))
        self.addFault(.suspend, at: from + .seconds(2000), lasts: Self.seconds(20...90, &random))
      }
    }
  }

  private mutating func addStarts(_ random: inout SeededRandom) {
    self.rung = Self.one(of: [.ublox, .ublox, .mediaTek, .unit], &random)
    let periods = self.addPeriods(
      "follows", .follows(interval: 1, distance: 0), every: 300...500, lasting: 100...400, &random)
    for (number, (from, to)) in periods.enumerated() where number > 0 {
      // The linger is a minute, and then the stop is stored and sent.
      let stop = to + .seconds(60)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: self.addFault(.deaf, at: from - .seconds(5), lasts: Self.seconds(40...90, &random))
      case 1: self.addFault(.deaf, at: stop - .seconds(5), lasts: Self.seconds(30...60, &random))
      case _:
        self.addFault(.diskFull, at: stop - .seconds(10), lasts: .seconds(60))
        self.addFault(.killed, at: stop + Self.seconds(3...12, &random), lasts: Self.seconds(1...100, &random))
      }
    }
  }

  private mutating func addProbes(_ random: inout SeededRandom) {
    var (at, number) = (Duration.seconds(20), 0)
    while at < self.length {
      number += 1
      let to = at + Self.seconds(100...300, &random)
      self.programs.append(ProgramPlan("follows\(number)", .follows(interval: 1, distance: 0), from: at, to: to))
      // gpsd's minute after the linger, and some seconds more.
      let probe = to + .seconds(60 + 70)
      self.addFault(.gpsdHangs, at: probe - .seconds(8), lasts: .seconds(25))
      // Half come while gpsd is asked.
      at = Bool.random(using: &random) ? probe + Self.seconds(1...3, &random) : probe + Self.seconds(300...600, &random)
      if at < probe + .seconds(10) {
        self.programs.append(
          ProgramPlan("during\(number)", .follows(interval: 1, distance: 0), from: at, to: at + .seconds(700)))
        at += .seconds(700 + 300)
      }
    }
  }
}
