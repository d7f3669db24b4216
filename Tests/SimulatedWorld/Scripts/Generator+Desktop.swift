import Positioning

/// Worlds with programs that use GeoClue's interface.
extension Script {
  /// One world in so many has some, the first time at this number.
  private static let desktopPeriod: UInt64 = 20
  private static let firstDesktop: UInt64 = 16

  static func hasDesktop(_ seed: UInt64) -> Bool { seed % Self.desktopPeriod == Self.firstDesktop }

  mutating func addDesktop(_ random: inout SeededRandom) {
    let end = self.length + Self.calm
    // Nobody else needs the receiver for them.
    if Bool.random(using: &random) { self.programs = Self.company(for: self.length) }
    for number in 0..<Int.random(in: 1...5, using: &random) {
      var plan = DesktopPlan(
        "desktop\(number)", uid: UInt32.random(in: 1000...1002, using: &random),
        from: self.length * Double.random(in: 0...0.5, using: &random), to: end,
        stays: Self.seconds(60...4000, &random), pauses: Self.seconds(20...2000, &random))
      plan.level = Self.one(of: [nil, 0, 1, 4, 5, 6, 8], &random)
      plan.distance = Self.one(of: [0, 0, 0, 50, 500], &random)
      plan.time = Self.one(of: [0, 0, 1, 10, 60, 600], &random)
      plan.nextTime = Self.one(of: [nil, nil, 0, 30], &random)
      plan.ending = Self.one(of: DesktopPlan.Ending.allCases, &random)
      plan.isSlow = Int.random(in: 0..<5, using: &random) == 0
      plan.hoards = Int.random(in: 0..<12, using: &random) == 0 ? 70 : 0
      plan.isIntruding = Int.random(in: 0..<4, using: &random) == 0
      self.desktopPrograms.append(plan)
    }
    self.addFaults(
      [
        (.busDown, 2...300), (.desktopBridgeKilled, 1...120), (.killed, 1...120), (.ended, 30...60),
        (.stopped, 2...300), (.jumps, 60...1800), (.denied(uid: 1001), 60...900), (.reduced(uid: 1002), 60...3600),
      ], &random)
  }
}
