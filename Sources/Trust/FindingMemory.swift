package import Positioning

/// What the evidence says of a receiver: whether its fixes can be trusted, and what speaks against them.
package struct Verdict: Hashable, Sendable {
  /// `nil`: nothing speaks for or against them.
  package var integrity: Integrity?
  package var reasons: IntegrityReasons = []

  package init(integrity: Integrity? = nil, reasons: IntegrityReasons = []) {
    self.integrity = integrity
    self.reasons = reasons
  }
}

/// The findings against one receiver. Each stays for half a minute after the evidence was there last, so that a verdict
/// does not change with every epoch.
struct FindingMemory: Hashable, Sendable {
  static let memory: Duration = .seconds(30)

  private struct Standing: Hashable, Sendable {
    var weakUntil: Instant?
    var strongUntil: Instant?
  }

  private var standings: [IntegrityReason: Standing] = [:]

  mutating func note(_ finding: Finding, for reason: IntegrityReason, at moment: Instant) {
    switch finding {
    case .silent, .supporting: break
    case .weak: self.standings[reason, default: Standing()].weakUntil = moment + Self.memory
    case .strong: self.standings[reason, default: Standing()].strongUntil = moment + Self.memory
    }
  }

  func verdict(isSupported: Bool, at moment: Instant) -> Verdict {
    var (reasons, isStrong, count) = (IntegrityReasons(), false, 0)
    for (reason, standing) in self.standings {
      let strong = standing.strongUntil.map { moment < $0 } ?? false
      guard strong || standing.weakUntil.map({ moment < $0 }) ?? false else { continue }
      reasons.insert(reason)
      isStrong = isStrong || strong
      count += 1
    }
    // Two kinds of evidence that are weak alone have no harmless cause in common, but these have: what disturbs the
    // reception makes all signals weaker.
    if reasons.contains(.jamming), reasons.contains(.signal) { count -= 1 }
    let integrity: Integrity? =
      isStrong || count > 1 ? .untrusted : count == 1 ? .suspect : isSupported ? .trusted : nil
    return Verdict(integrity: integrity, reasons: reasons)
  }
}
