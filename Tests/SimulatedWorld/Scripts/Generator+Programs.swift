import Positioning

/// Programs that units start, crowds, subscriptions that nothing can satisfy, and what an administrator does with users.
extension Script {
  /// Searches after each significant change for a fix that no receiver gives.
  static let acquisition =
    #"{"mode":"significant","significantDistance":300,"significantInterval":60,"#
    + #""acquire":{"budget":20,"desiredAccuracy":1,"acceptableAccuracy":2}}"#
  private static let starting: [UInt32] = [1005, 1006]
  private static let crowd: UInt32 = 1007
  private static let owned: UInt32 = 1002

  /// One world in five has some of them.
  mutating func addPrograms(_ random: inout SeededRandom) {
    guard Int.random(in: 0..<5, using: &random) == 0 else { return }
    // Of the first epoch that a daemon sees nobody can know that it is far away, and here daemons begin often.
    self.faults.removeAll { $0.kind == .jumps }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: self.addStarts(&random)
    case 4..<6: self.addCrowd(&random)
    case 6..<8: self.addSubscriptions(&random)
    case _: self.addOwners(&random)
    }
  }

  private mutating func addStarts(_ random: inout SeededRandom) {
    let rests = self.track.rests(atLeast: .seconds(300))
    let end = self.length + Self.leaving
    for (number, user) in Self.starting.prefix(Int.random(in: 1...2, using: &random)).enumerated() {
      let regions = (0..<Int.random(in: 1...6, using: &random)).map {
        Self.region(number: $0, at: rests, &random)
      }
      let isCollecting = Int.random(in: 0..<3, using: &random) == 0
      let start = ProgramPlan.StartPlan(
        unit: "started\(number).service", regions: regions,
        batches: isCollecting ? Self.one(of: [60, 150, 400], &random) : nil,
        stays: Self.seconds(Self.one(of: [2...30, 2...600], &random), &random),
        forgetsEvery: Int.random(in: 2...6, using: &random), removesEvery: Int.random(in: 3...8, using: &random))
      self.programs.append(
        ProgramPlan(
          "started\(number)", uid: user, .isStarted(start),
          from: self.length * Double.random(in: 0...0.2, using: &random),
          to: end))
    }
    if Bool.random(using: &random) { self.limits.inboxEvents = Int.random(in: 1...4, using: &random) }
    if Int.random(in: 0..<3, using: &random) == 0 { self.limits.unstored = Int.random(in: 1...3, using: &random) }
    self.addFaults(
      [
        (.killed, 1...120), (.powerCut, 5...60), (.deaf, 60...1200), (.unlisted(uid: Self.starting[0]), 60...2000),
        (.unread(program: "started0"), 20...900),
      ], &random)
  }

  private mutating func addCrowd(_ random: inout SeededRandom) {
    let most = Int.random(in: 20...26, using: &random)
    // Few enough for the crowd to make room for others.
    (self.limits.clients, self.limits.clientsOfUser) = (most + 3, most)
    self.limits.outbound = 64 << 10
    let from = self.length * Double.random(in: 0.1...0.4, using: &random)
    self.programs.append(
      ProgramPlan(
        "crowd", uid: Self.crowd,
        .crowds(connections: Int.random(in: 22...30, using: &random), every: Self.seconds(30...300, &random)),
        from: from,
        to: self.length))
    for number in 0..<Int.random(in: 1...3, using: &random) {
      self.programs.append(
        ProgramPlan(
          "shuts\(number)", uid: UInt32.random(in: 1000...1002, using: &random),
          .shutsDown(every: Self.seconds(100...1500, &random)), from: from, to: self.length + Self.calm))
    }
    self.programs.append(
      ProgramPlan(
        "deaf", uid: 1003, .follows(interval: 1, distance: 0), from: from, to: from + .seconds(4000)))
    self.faults.append(
      Fault(.unread(program: "deaf"), at: from + .seconds(60), lasts: Self.seconds(300...3000, &random)))
    self.addFaults([(.killed, 1...60)], &random)
  }

  private mutating func addSubscriptions(_ random: inout SeededRandom) {
    if Int.random(in: 0..<4, using: &random) > 0 {
      self.programs.removeAll { plan in
        // Somebody must take what an earlier version has left.
        if case .inherits = plan.kind { false } else { plan.name != "status" && plan.name != "calm" }
      }
      if Bool.random(using: &random) { self.faults = [] }
    }
    let interval = Self.one(of: [300, 600, 1200], &random)
    let picky: [ProgramPlan.Kind] = [
      .subscribes(#"{"minInterval":\#(interval),"onlyBetterThan":1}"#),
      .subscribes(#"{"mode":"significant","significantDistance":2,"significantInterval":60}"#),
      .subscribes(Self.acquisition), .subscribes(#"{"mode":"passive","maxInterval":\#(interval / 10)}"#),
      .follows(interval: Self.one(of: [30, 60, 120, 300], &random), distance: 0), .visits(durable: false),
      .notices(distance: 500),
      // Leaves while it waits for what no receiver gives.
      .asks(every: .seconds(30), accuracy: 1, timeout: 900, maxAge: 0),
      .asks(every: Self.seconds(300...2000, &random), accuracy: 100, timeout: 55, maxAge: 0),
    ]
    let end = self.length + Self.calm
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let kind = Self.one(of: picky, &random)
      let from = self.length * Double.random(in: 0...0.5, using: &random)
      var to = Bool.random(using: &random) ? end : from + self.length * 0.3
      if case .asks(_, accuracy: 1, _, _) = kind { to = from + Self.seconds(40...800, &random) }
      self.programs.append(ProgramPlan("picky\(number)", kind, from: from, to: to))
    }
    guard Bool.random(using: &random) else { return }
    self.addFaults([(.noSky, 1800...7200)], &random)
  }

  /// Users who are granted the position, and whose numbers are given to others.
  private mutating func addOwners(_ random: inout SeededRandom) {
    self.asksPersons = true
    for place in self.programs.indices where self.programs[place].uid != 0 && self.programs[place].relay == nil {
      if case .answersPrompts = self.programs[place].kind { continue }
      self.programs[place].uid = 1000
    }
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let kind: ProgramPlan.Kind =
        Bool.random(using: &random)
        ? .requests(always: Bool.random(using: &random), every: Self.seconds(60...600, &random))
        : .asks(every: Self.seconds(20...300, &random), accuracy: 100, timeout: 30)
      self.programs.append(
        ProgramPlan("owned\(number)", uid: Self.owned, kind, from: .seconds(10), to: self.length + Self.calm))
    }
    let follower = ProgramPlan(
      "owned", uid: Self.owned, .follows(interval: 1, distance: 0), from: .seconds(10), to: self.length + Self.calm)
    self.programs.append(follower)
    self.faults.removeAll {
      switch $0.kind {
      case .denied, .reduced, .disabled: true
      case _: false
      }
    }
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      let at = self.length * Double.random(in: 0.05...0.9, using: &random)
      let lasts = Self.seconds(300...2500, &random)
      self.faults.append(Fault(.granted(uid: Self.owned), at: at, lasts: min(lasts, self.length - at)))
      let share = Double.random(in: 0.1...0.8, using: &random)
      let rest = min(lasts * (1 - share), self.length - at - lasts * share)
      guard rest > .zero else { continue }
      self.faults.append(Fault(.renamed(uid: Self.owned), at: at + lasts * share, lasts: rest))
    }
    for fault in self.faults where Bool.random(using: &random) {
      guard case .granted = fault.kind else { continue }
      self.faults.append(
        Fault(Self.one(of: [.diskFull, .diskBroken], &random), at: fault.at - .seconds(20), lasts: .seconds(60)))
    }
    self.addFaults([(.killed, 1...60)], &random)
  }
}
