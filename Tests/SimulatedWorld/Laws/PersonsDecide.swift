import Positioning

/// About whom a person is asked, that user's programs know no more than somebody has granted.
struct PersonsDecide: Law {
  static let promise = Promise("docs/permission.md", "`ask` leaves it open until a person is asked")

  private enum Grant {
    case reduced
    case precise
  }

  private(set) var breaches: [Breach] = []
  /// The most that anybody has granted since nothing was.
  private var granted: [UInt32: Grant] = [:]
  /// What users had before a withdrawal that could not be stored: they have it again if the daemon ends before it can.
  private var unstored: [UInt32: Grant] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .replied(_, let prompt, .allow(let isReduced, _)):
      guard let user = prompt["params"]?["principal"]?["uid"]?.number else { return }
      self.grant(isReduced ? .reduced : .precise, UInt32(user))
    case .administered(let request, let answer):
      guard answer["error"] == nil, let call = JSON(request), let user = call["params"]?["user"]?.number else { return }
      let level = call["params"]?["level"]?.string
      if call["method"]?.string == "admin.revoke" || level == "deny" {
        let earlier = self.granted.removeValue(forKey: UInt32(user)) ?? self.unstored[UInt32(user)]
        self.unstored[UInt32(user)] = answer["result"]?["stored"]?.bool == false ? earlier : nil
      } else {
        self.grant(call["params"]?["precision"]?.string == "reduced" ? .reduced : .precise, UInt32(user))
      }
    case .daemonEnded: for (user, grant) in self.unstored { self.grant(grant, user) }
    case .notified(let program, _, let message), .answered(let program, _, let message):
      guard world.script.asks(program.plan) else { return }
      let fixes = (message["params"] ?? message["result"])?.fixes.filter { $0["latitude"] != nil } ?? []
      for fix in fixes { self.check(fix, of: program, in: world) }
    case _: break
    }
  }

  private mutating func grant(_ grant: Grant, _ user: UInt32) {
    if self.granted[user] != .precise { self.granted[user] = grant }
  }

  private mutating func check(_ fix: JSON, of program: Program, in world: World) {
    let isReduced = fix["reduced"]?.bool == true
    switch self.granted[program.plan.uid] {
    case .precise: return
    case .reduced where isReduced: return
    case .reduced:
      self.breaches.append(self.breach("\(program.plan.name) was granted less than \(fix.text)", in: world))
    case nil: self.breaches.append(self.breach("nobody granted \(program.plan.name) \(fix.text)", in: world))
    }
  }
}
