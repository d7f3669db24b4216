/// The programs of one user on the message bus cannot have more than their part.
struct DesktopClientsAreLimited: Law {
  static let promise = Promise(
    "docs/geoclue.md",
    "The programs of one user have at most 64 client objects, and all programs 512.")
  private static let most = 64

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .desktop(let program, .hoarded(let count, let error)) = observation else { return }
    // It has one besides.
    if count >= Self.most { self.breaches.append(self.breach("\(program.plan.name) has \(count) clients", in: world)) }
    if count > 0, error == nil, program.plan.hoards >= Self.most {
      self.breaches.append(self.breach("\(program.plan.name) is refused no client", in: world))
    }
  }
}
