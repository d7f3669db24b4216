import Positioning

/// Worlds with a u-blox that forgets everything with its supply, and a clock that may be right.
extension Script {
  /// One world in so many has one, the first time at this number.
  private static let forgetfulPeriod: UInt64 = 20
  private static let firstForgetful: UInt64 = 18

  static func isForgetful(_ seed: UInt64) -> Bool { seed % Self.forgetfulPeriod == Self.firstForgetful }

  mutating func addAssistance(_ random: inout SeededRandom) {
    self.isForgetful = true
    self.rung = .unit
    // In one world in four nobody knows whether the clock is right.
    self.clockError = Self.one(of: [nil, .milliseconds(5), .milliseconds(300), .seconds(2)], &random)
    self.programs = Self.company(for: self.length)
    for number in 0..<Int.random(in: 1...2, using: &random) {
      self.programs.append(
        ProgramPlan(
          "borrows\(number)",
          .borrows(every: Self.seconds(400...9000, &random), duration: Int.random(in: 100...900, using: &random)),
          from: self.length * Double.random(in: 0...0.3, using: &random), to: self.length + Self.calm))
    }
    if Bool.random(using: &random) { self.faults = [] }
    self.addFaults(
      [(.killed, 1...120), (.noSky, 30...600), (.suspend, 20...7200), (.powerCut, 5...600), (.gpsdDown, 2...90)],
      &random
    )
  }
}
