import Broker
import Positioning

/// What some worlds have besides. It is drawn from numbers of its own, so that the other worlds stay as they are.
extension Script {
  /// The users about whom a person is asked, where one is.
  private static let asked: [UInt32] = [1001, 1002]
  /// An agent for its own user, and one for all.
  private static let agents: [UInt32] = [1001, 1003]
  private static let relay: UInt32 = 1004

  /// Whether a person is asked about the program.
  package func asks(_ plan: ProgramPlan) -> Bool { self.asksPersons && Self.asked.contains(plan.uid) }
  /// Whether an agent of the user answers for this user alone.
  package func isAgentOfItself(_ user: UInt32) -> Bool { user == Self.agents[0] }
  /// Whether the user's programs may say for whom they ask.
  package func isRelay(_ user: UInt32) -> Bool { user == Self.relay }

  var rules: [AccessRule] {
    var rules: [AccessRule] = []
    func add(_ name: String, _ user: UInt32, _ change: (inout AccessRule) -> Void) {
      var rule = AccessRule(name: name)
      (rule.user, rule.uid) = ("user\(user)", user)
      change(&rule)
      rules.append(rule)
    }
    if self.asksPersons {
      add("members", 1000) { $0.grant = .always }
      add("own", Self.agents[0]) { $0.agent = .own }
      add("screen", Self.agents[1]) { ($0.agent, $0.grant) = (.all, .deny) }
    }
    if self.programs.contains(where: { $0.relay != nil }) {
      add("relay", Self.relay) { ($0.isRelay, $0.grant) = (true, .deny) }
    }
    if !self.desktopPrograms.isEmpty {
      add("geoclue", DesktopPlan.bridge) { ($0.isRelay, $0.grant) = (true, .deny) }
    }
    for plan in self.programs {
      guard case .isStarted(let start) = plan.kind else { continue }
      add("starts\(plan.uid)", plan.uid) { ($0.wake, $0.grant) = ([start.unit], .always) }
    }
    return rules
  }

  /// Most worlds have an addition.
  mutating func add(_ random: inout SeededRandom) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: self.addPersons(&random)
    case 2: self.addRelays(&random)
    case 3: self.addDatabase(&random)
    case 4: self.addDoors(&random)
    case 5: self.addLocks(&random)
    case _: break
    }
  }

  private mutating func addPersons(_ random: inout SeededRandom) {
    self.asksPersons = true
    for place in self.programs.indices where self.programs[place].uid != 0 { self.programs[place].uid = 1000 }
    let end = self.length + Self.calm
    for number in 0..<Int.random(in: 2...4, using: &random) {
      let kind: ProgramPlan.Kind =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .asks(every: Self.seconds(200...2000, &random), accuracy: 100, timeout: 90)
        case 1: .follows(interval: Self.one(of: [1, 30], &random), distance: 0)
        case _: .requests(always: Bool.random(using: &random), every: Self.seconds(60...1500, &random))
        }
      self.programs.append(
        ProgramPlan(
          "asked\(number)", uid: Self.one(of: Self.asked, &random), kind,
          from: self.length * Double.random(in: 0...0.5, using: &random), to: end))
    }
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let replies = (0..<Int.random(in: 1...5, using: &random)).map { _ in Self.reply(&random) }
      self.programs.append(
        ProgramPlan(
          "agent\(number)", uid: Self.one(of: Self.agents, &random), .answersPrompts(replies),
          from: self.length * Double.random(in: 0...0.3, using: &random), to: end))
    }
    self.addFaults(
      [
        (.killed, 1...120), (.powerCut, 5...60), (.diskFull, 300...1500), (.diskBroken, 300...900),
        (.denied(uid: 1001), 60...900), (.denied(uid: 1002), 60...900), (.reduced(uid: 1002), 60...900),
      ], &random)
    if Int.random(in: 0..<3, using: &random) == 0 { self.addRelays(&random) }
  }

  private static func reply(_ random: inout SeededRandom) -> ProgramPlan.PromptReply {
    let isRemembered = Int.random(in: 0..<4, using: &random) > 0
    let act: ProgramPlan.PromptReply.Act =
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4: .allow(isReduced: false, isRemembered: isRemembered)
      case 4..<6: .allow(isReduced: true, isRemembered: isRemembered)
      case 6..<8: .deny(isRemembered: isRemembered)
      case 8: .fail
      case 9: .leave
      case _: .wait
      }
    let isLate = Int.random(in: 0..<4, using: &random) == 0
    return ProgramPlan.PromptReply(act, after: Self.seconds(isLate ? 100...140 : 1...20, &random))
  }

  private mutating func addRelays(_ random: inout SeededRandom) {
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let kind: ProgramPlan.Kind =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .asks(every: Self.seconds(60...1000, &random), accuracy: 100, timeout: 90)
        case 1: .follows(interval: Self.one(of: [1, 10], &random), distance: 0)
        case _: .notices(distance: 500)
        }
      var plan = ProgramPlan(
        "relayed\(number)", uid: UInt32.random(in: 1000...1002, using: &random), kind,
        from: self.length * Double.random(in: 0...0.5, using: &random), to: self.length + Self.calm)
      // One that no rule lets speak for others.
      plan.relay = Int.random(in: 0..<4, using: &random) == 0 ? 1000 : Self.relay
      self.programs.append(plan)
    }
    self.addFaults(
      [(.denied(uid: 1001), 60...900), (.reduced(uid: 1002), 60...2000), (.killed, 1...120)], &random)
  }

  private mutating func addDatabase(_ random: inout SeededRandom) {
    let database = Self.one(of: OldDatabase.all, &random)
    self.database = database
    for name in database.names {
      self.programs.append(
        ProgramPlan(
          name.program, uid: name.uid, .inherits(name: name.name), from: .seconds(1), to: self.length + Self.calm))
    }
    self.addFaults([(.killed, 1...120), (.powerCut, 5...600)], &random)
  }

  /// Programs at the other doors, which learn that they may not know the position any more.
  private mutating func addDoors(_ random: inout SeededRandom) {
    for number in 0..<Int.random(in: 2...4, using: &random) {
      let isMap = Int.random(in: 0..<3, using: &random) > 0
      self.programs.append(
        ProgramPlan(
          "door\(number)", uid: UInt32.random(in: 1001...1002, using: &random),
          isMap ? .watchesAsGpsd(polls: Bool.random(using: &random)) : .readsSentences,
          from: self.length * Double.random(in: 0...0.6, using: &random), to: self.length + Self.calm))
    }
    self.addFaults(
      [(.denied(uid: 1001), 60...900), (.reduced(uid: 1002), 60...2000), (.unread(program: "door0"), 20...900)], &random
    )
  }

  /// A daemon that is started while another process has the database locked.
  private mutating func addLocks(_ random: inout SeededRandom) {
    let rests = self.track.rests(atLeast: .seconds(300))
    for number in 0..<2 {
      self.programs.append(
        ProgramPlan(
          "kept\(number)", .watches([Self.region(number: number, at: rests, &random)], durable: true),
          from: self.length * Double.random(in: 0...0.3, using: &random), to: self.length + Self.calm))
    }
    for _ in 0..<Int.random(in: 2...6, using: &random) {
      let at = self.length * Double.random(in: 0.1...0.9, using: &random)
      let absence = Self.seconds(2...60, &random)
      self.faults.append(Fault(.killed, at: at, lasts: absence))
      self.faults.append(
        Fault(.locked, at: at + .seconds(1), lasts: min(absence + Self.seconds(5...600, &random), self.length - at)))
    }
    self.faults = Self.apart(self.faults.sorted { $0.at < $1.at })
  }

  mutating func addFaults(_ kinds: [(Fault.Kind, ClosedRange<Int>)], _ random: inout SeededRandom) {
    for (kind, range) in kinds {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let at = self.length * Double.random(in: 0.05...1, using: &random)
        self.faults.append(Fault(kind, at: at, lasts: min(Self.seconds(range, &random), self.length - at)))
      }
    }
    self.faults = Self.apart(self.faults.sorted { $0.at < $1.at })
  }
}
