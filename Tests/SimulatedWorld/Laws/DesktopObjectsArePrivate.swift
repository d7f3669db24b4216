/// What one program on the message bus has at GeoClue's interface is nobody else's.
struct DesktopObjectsArePrivate: Law {
  static let promise = Promise("docs/geoclue.md", "A program sees only its own objects.")

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .desktop(let program, .intruded(error: nil)) = observation else { return }
    self.breaches.append(self.breach("\(program.plan.name) reads an object of another program", in: world))
  }
}
