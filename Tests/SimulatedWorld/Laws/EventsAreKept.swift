import Positioning

/// Events under a durable name come in order, again until they are acknowledged, and never after.
struct EventsAreKept: Law {
  static let promise = Promise(
    "docs/protocol.md", "Their events go to the name's inbox, numbered from 1; numbers are never reused.")

  private struct Seen {
    var contents: [Int: String] = [:]
    var last = 0
    var acknowledged = 0
  }

  private(set) var breaches: [Breach] = []
  private var names: [String: Seen] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.names[program.plan.name]?.last = 0
    case .answered(let program, let request, let message)
    where request.method == "durable.acknowledge" && message["error"] == nil:
      guard let event = JSON(request.parameters)?["event"]?.number else { return }
      self.names[program.plan.name, default: Seen()].acknowledged = Int(event)
    case .notified(let program, let method, let message):
      guard let parameters = message["params"], let event = parameters["eventId"]?.number else { return }
      self.take(Int(event), Self.content(method, parameters), of: program.plan.name, in: world)
    case _: break
    }
  }

  /// What makes an event the same when it comes again.
  private static func content(_ method: String, _ event: JSON) -> String {
    let visit = event["visit"]
    return
      "\(method) \(event["id"]?.string ?? "") \(event["event"]?.string ?? "") \(event["fix"]?["time"]?.string ?? "") "
      + "\(visit?["id"]?.text ?? "") \(visit?["departure"]?.string == nil ? "arrival" : "departure")"
  }

  private mutating func take(_ event: Int, _ content: String, of name: String, in world: World) {
    var seen = self.names[name] ?? Seen()
    if event <= seen.last {
      self.breaches.append(self.breach("\(name): event \(event) comes after \(seen.last)", in: world))
    }
    if event <= seen.acknowledged {
      self.breaches.append(
        self.breach("\(name): event \(event) comes although \(seen.acknowledged) was acknowledged", in: world))
    }
    if let known = seen.contents[event], known != content {
      self.breaches.append(self.breach("\(name): event \(event) was \(known), and is \(content)", in: world))
    }
    seen.contents[event] = content
    seen.last = event
    self.names[name] = seen
  }
}
