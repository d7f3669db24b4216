import Positioning

/// What waits for a program that does not read has a limit.
struct QueuesAreLimited: Law {
  static let promise = Promise(
    "docs/protocol.md", "superseded fixes and headings are dropped and counted in `dropped`")
  private static let outbound = 256 << 10
  /// What a socket holds besides.
  private static let socket = 208 << 10
  /// No update is shorter, in bytes.
  private static let shortest = 250
  private static let reading: Duration = .seconds(2)

  private(set) var breaches: [Breach] = []
  /// Programs that have begun to read what waits: since when, and how many updates they have got.
  private var reading: [String: (since: Duration, updates: Int)] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .fault(let fault, let begins):
      if case .unread(let name) = fault.kind { self.reading[name] = begins ? nil : (world.elapsed, 0) }
    case .connected(let program): self.reading[program.plan.name] = nil
    case .notified(let program, "position.update", let message):
      let name = program.plan.name
      guard let reading = self.reading[name], message["params"]?["fix"] != nil else { return }
      guard world.elapsed - reading.since < Self.reading else { return self.reading[name] = nil }
      self.reading[name]?.updates += 1
      let most = ((world.script.limits.outbound ?? Self.outbound) + Self.socket) / Self.shortest
      guard reading.updates == most else { return }
      self.breaches.append(self.breach("more than \(most) updates waited for \(name)", in: world))
    case _: break
    }
  }
}
