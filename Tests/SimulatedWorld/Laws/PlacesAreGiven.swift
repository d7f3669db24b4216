import Positioning

/// A program is let in while there are places, and while another user has many more than its own.
struct PlacesAreGiven: Law {
  static let promise = Promise(
    "docs/limits.md",
    "one error -32007 with id null, then the connection closes; closing connections count until they are closed")
  /// So long a connection that has ended may still be there, and one that has begun not yet.
  private static let closing: Duration = .seconds(8)
  /// A new client's user makes room for itself if another one has so many more.
  private static let more = 2

  private(set) var breaches: [Breach] = []
  /// When each connection of a user began, and when those that are gone ended.
  private var open: [UInt32: [Duration]] = [:]
  private var ended: [(user: UInt32, at: Duration)] = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.begin(program.plan.relay ?? program.plan.uid, in: world)
    case .entered(let program): self.begin(program.plan.uid, in: world)
    case .joined(let user): self.begin(user, in: world)
    case .disconnected(let program): self.end(program.plan.relay ?? program.plan.uid, in: world)
    case .left(let program): self.end(program.plan.uid, in: world)
    case .parted(let user): self.end(user, in: world)
    case .refused(let user): self.judge(user, in: world)
    case .daemonEnded: self.ended = []
    case _: break
    }
  }

  private mutating func begin(_ user: UInt32, in world: World) {
    self.open[user, default: []].append(world.elapsed)
  }

  private mutating func end(_ user: UInt32, in world: World) {
    if self.open[user]?.isEmpty == false { self.open[user]?.removeFirst() }
    self.ended.removeAll { world.elapsed - $0.at > Self.closing }
    self.ended.append((user, world.elapsed))
  }

  private mutating func judge(_ user: UInt32, in world: World) {
    // Those on the library and the bridge have places too.
    guard let limit = world.script.limits.clients, !world.hasCompanions,
      !world.script.isDisturbed(
        from: world.elapsed - .seconds(30), to: world.elapsed, margin: .seconds(5),
        by: { $0.isAbsence || $0 == .busy || $0 == .disabled || $0.isUnread })
    else {
      return
    }
    let closing = self.ended.filter { world.elapsed - $0.at < Self.closing }
    // Without the one that was refused.
    let all = self.open.values.reduce(closing.count - 1) { $0 + $1.count }
    let own = (self.open[user]?.count ?? 0) - 1 + closing.count { $0.user == user }
    guard own < world.script.limits.clientsOfUser ?? .max else { return }
    if all < limit {
      return self.breaches.append(
        self.breach("\(user) is refused, and \(all) of \(limit) places are taken", in: world))
    }
    let most =
      self.open.filter { $0.key != user && $0.key != 0 }
      .map { $0.value.count { world.elapsed - $0 > Self.closing } }.max() ?? 0
    guard own + Self.more <= most else { return }
    self.breaches.append(
      self.breach("\(user) has \(own) places and is refused, and another user has \(most)", in: world))
  }
}
