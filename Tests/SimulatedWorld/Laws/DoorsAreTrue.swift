import Positioning

/// What gpsd's door and the one of NMEA 0183 give is well formed, and as true as what they say of it.
struct DoorsAreTrue: Law {
  static let promise = Promise("docs/gpsd.md", "`eph` is the radius that holds 95 % of the fixes")
  /// 95 % radii. A round normal error is beyond so many of them once in ten million times.
  private static let radii = 2.5
  /// The radius of a position that is reduced says nothing of where the device is in its cell.
  private static let reduced = 1900.0

  private(set) var breaches: [Breach] = []
  /// The deviation that the last `GST` of each reader said.
  private var deviations: [String: Double] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .report(let program, let report):
      let known = ["VERSION", "DEVICES", "DEVICE", "WATCH", "TPV", "SKY", "ATT", "POLL", "ERROR"]
      guard let name = report["class"]?.string, known.contains(name) else {
        return self.breaches.append(self.breach("\(program.plan.name) got \(report.text)", in: world))
      }
      if let fix = DoorFix(report) { self.check(fix, of: program, in: world) }
    case .sentence(let program, let sentence):
      guard let fields = DoorFix.fields(of: sentence) else {
        return self.breaches.append(self.breach("\(program.plan.name) got the sentence \(sentence)", in: world))
      }
      if fields[0].hasSuffix("GST"), fields.count > 7 { self.deviations[program.plan.name] = Double(fields[6]) }
      if let fix = DoorFix(fields, deviation: self.deviations[program.plan.name]) {
        self.check(fix, of: program, in: world)
      }
    case .entered(let program): self.deviations[program.plan.name] = nil
    case _: break
    }
  }

  private mutating func check(_ fix: DoorFix, of program: DoorProgram, in world: World) {
    guard let radius = fix.radius, radius < Self.reduced else { return }
    let error = fix.place.distance(to: world.script.track.place(at: world.moment(of: fix.time)))
    guard error > radius * Self.radii + 1 else { return }
    self.breaches.append(
      self.breach("\(program.plan.name) got a position that is wrong by \(error) m and says \(radius) m", in: world))
  }
}
