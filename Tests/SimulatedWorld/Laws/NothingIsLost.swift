import Positioning

/// What was answered as registered is there after whatever happens to the daemon and the machine.
struct NothingIsLost: Law {
  static let promise = Promise("docs/protocol.md", "They are answered once they are stored.")

  private(set) var breaches: [Breach] = []
  /// The names of which a registration was answered, and which were not removed.
  private var kept: [String: Set<String>] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .logged(let line):
      if line.contains("set aside") || line.contains("set-aside") {
        self.breaches.append(self.breach("a database that no one damaged is damaged: \(line)", in: world))
      }
    case .answered(let program, let request, let message):
      guard let name = program.durableName else { return }
      self.take(request, message, of: name, in: world)
    case _: break
    }
  }

  private mutating func take(_ request: Observation.Request, _ message: JSON, of name: String, in world: World) {
    switch request.method {
    case "region.add":
      guard message["error"] == nil, let id = JSON(request.parameters)?["id"]?.string else { return }
      self.kept[name, default: []].insert(id)
    case "durable.attach":
      guard let result = message["result"] else {
        if let code = message["error"]?["code"]?.number, code == -32008, self.kept[name] != nil {
          self.breaches.append(self.breach("the durable name \(name) is gone", in: world))
        }
        return
      }
      let there = Set((result["regions"]?.elements ?? []).compactMap { $0["id"]?.string })
      let missing = (self.kept[name] ?? []).subtracting(there)
      if !missing.isEmpty { self.breaches.append(self.breach("\(name) has lost \(missing.sorted())", in: world)) }
    case "durable.remove": if message["error"] == nil { self.kept[name] = nil }
    default: break
    }
  }
}
