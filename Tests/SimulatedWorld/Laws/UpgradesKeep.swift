import Positioning

/// What an earlier version has stored is there.
struct UpgradesKeep: Law {
  static let promise = Promise(
    "docs/operations.md", "A newer version opens the database and the configuration of every earlier one.")

  private(set) var breaches: [Breach] = []
  private var attached: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "durable.attach":
      guard case .inherits(let name) = program.plan.kind, let old = world.script.database,
        self.attached.insert(program.plan.name).inserted
      else {
        return
      }
      let there = Set((message["result"]?["regions"]?.elements ?? []).compactMap { $0["id"]?.string })
      guard message["error"] == nil, there == old.regions(of: name) else {
        return self.breaches.append(
          self.breach("\(name) of version \(old.version) had \(old.regions(of: name)): \(message.text)", in: world))
      }
    case .administered(let request, let answer):
      guard let old = world.script.database, JSON(request)?["method"]?.string == "admin.grants" else { return }
      let grants = (answer["result"]?["grants"]?.elements ?? []).map {
        "\($0["uid"]?.text ?? "") \($0["level"]?.string ?? "") \($0["precision"]?.string ?? "")"
      }
      guard grants != old.decisions else { return }
      self.breaches.append(
        self.breach("version \(old.version) has stored \(old.decisions), and there are \(answer.text)", in: world))
    case _: break
    }
  }

  mutating func end(in world: World) {
    for name in world.script.database?.names ?? [] where !self.attached.contains(name.program) {
      self.breaches.append(self.breach("nobody got what was stored as \(name.name)", in: world))
    }
  }
}
