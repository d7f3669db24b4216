import Positioning

/// What many demands allow the receiver to save. A change costs the same however many there are.
struct SavingAllowances: Sendable {
  private var counts = [Int](repeating: 0, count: SavingAllowance.allCases.count)

  mutating func change(from old: Demand?, to new: Demand?) {
    if let old { self.counts[SavingAllowance(old).rawValue] -= 1 }
    if let new { self.counts[SavingAllowance(new).rawValue] += 1 }
  }

  /// What all of them allow.
  var least: SavingAllowance { SavingAllowance.allCases.first { self.counts[$0.rawValue] > 0 } ?? .coarse }
}
