import Positioning

/// Programs that mean no good, programs with subordinate numbers, and users who are deleted.
extension Script {
  private static let lying: ClosedRange<UInt32> = 1008...1009
  /// Who has subordinate numbers.
  private static let owner: UInt32 = 1002

  static let subordinateRange: Range<UInt32> = 165_536..<231_072
  /// The lines of /etc/subuid.
  static let subordinateNumbers = "user\(owner):\(subordinateRange.lowerBound):\(subordinateRange.count)\n"

  /// One world in four has some of them.
  mutating func addHostile(_ random: inout SeededRandom) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: self.addLiars(&random)
    case 1: self.addSubordinates(&random)
    case 2: self.addDeletions(&random)
    case _: break
    }
  }

  private mutating func addLiars(_ random: inout SeededRandom) {
    for user in Self.lying.prefix(Int.random(in: 1...2, using: &random)) {
      let (burst, pause) = Self.one(of: [(10, 60), (200, 200), (2000, 1500)], &random)
      let from = self.length * Double.random(in: 0...0.6, using: &random)
      self.programs.append(
        ProgramPlan(
          "liar\(user)", uid: user, .lies(burst: burst, every: .seconds(pause)), from: from,
          to: from + self.length * Double.random(in: 0.1...0.4, using: &random)))
    }
  }

  /// Programs of a user by other numbers, while the user is denied, reduced, and granted again.
  private mutating func addSubordinates(_ random: inout SeededRandom) {
    for number in 0..<UInt32.random(in: 1...3, using: &random) {
      let kind: ProgramPlan.Kind =
        Bool.random(using: &random)
        ? .asks(every: Self.seconds(60...600, &random), accuracy: 100, timeout: 60)
        : .follows(interval: Self.one(of: [1, 10, 60], &random), distance: 0)
      var plan = ProgramPlan(
        "container\(number)", uid: Self.owner, kind,
        from: self.length * Double.random(in: 0...0.4, using: &random), to: self.length + Self.calm)
      plan.number = Self.subordinateRange.lowerBound + number * 1000
      self.programs.append(plan)
    }
    // A person may overrule an administrator.
    guard !self.asksPersons else { return }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let kind = Self.one(of: [Fault.Kind.denied(uid: Self.owner), .reduced(uid: Self.owner)], &random)
      let at = self.length * Double.random(in: 0.1...0.8, using: &random)
      let others = self.faults.contains {
        switch $0.kind {
        case .denied(Self.owner), .reduced(Self.owner), .disabled: true
        case _: false
        }
      }
      if !others { self.faults.append(Fault(kind, at: at, lasts: Self.seconds(60...2000, &random))) }
    }
  }

  /// Users whose accounts are deleted for a time, with their programs running.
  private mutating func addDeletions(_ random: inout SeededRandom) {
    for user in Set(self.programs.map(\.uid)).subtracting([0]).sorted() where Bool.random(using: &random) {
      let at = self.length * Double.random(in: 0.1...0.7, using: &random)
      self.faults.append(Fault(.deleted(uid: user), at: at, lasts: Self.seconds(100...3000, &random)))
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      self.faults.append(
        Fault(
          .killed, at: self.length * Double.random(in: 0.1...0.9, using: &random), lasts: Self.seconds(1...60, &random))
      )
    }
  }
}
