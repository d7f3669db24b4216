import Positioning

/// A program on the message bus whose user has reduced precision gets reduced fixes, and nothing else of the position.
struct DesktopReductionHides: Law {
  static let promise = Promise(
    "docs/geoclue.md", "one point of a 2 km grid, at most every ten minutes, without altitude, speed and heading")
  /// Metres: that of reduced fixes, and of no other one.
  static let accuracy = 2000.0
  /// Of a bus and a program that are late.
  private static let bound: Duration = .seconds(45)
  private static let pause: Duration = .seconds(10 * 60 - 2)

  private(set) var breaches: [Breach] = []
  private var reducedSince: [UInt32: Duration] = [:]
  private var newest: DesktopProgram.Place?

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .administered(let request, let answer):
      guard answer["error"] == nil, let parameters = JSON(request)?["params"], let user = parameters["user"]?.number
      else {
        return
      }
      self.reducedSince[UInt32(user)] = parameters["precision"]?.string == "reduced" ? world.elapsed : nil
    case .fault(let fault, begins: false):
      if case .reduced(let uid) = fault.kind { self.reducedSince[uid] = nil }
    case .desktop(let program, .located(let place)): self.check(place, of: program, in: world)
    case _: break
    }
  }

  private mutating func check(_ place: DesktopProgram.Place, of program: DesktopProgram, in world: World) {
    guard place.accuracy != Self.accuracy else { return self.compare(place, in: world) }
    guard let since = self.reducedSince[program.plan.uid], world.elapsed - since > Self.bound,
      !world.script.isDisturbed(from: since, to: world.elapsed, by: \.disturbsDesktop)
    else {
      return
    }
    self.breaches.append(self.breach("\(program.plan.name) is reduced since \(since), and gets \(place)", in: world))
  }

  /// All programs get the same reduced fixes.
  private mutating func compare(_ place: DesktopProgram.Place, in world: World) {
    if place.altitude != -Double.greatestFiniteMagnitude || place.speed != -1 || place.heading != -1 {
      self.breaches.append(self.breach("a reduced location is \(place)", in: world))
    }
    // Without the disk a restart may forget the newest one, and times are those of the wall clock.
    let isKept = world.script.faults.allSatisfy {
      switch $0.kind {
      case .diskFull, .diskBroken, .locked, .clockStep: false
      case _: true
      }
    }
    guard isKept else { return }
    if let newest, place.place != newest.place {
      let pause = Duration.milliseconds(place.time.milliseconds - newest.time.milliseconds)
      if pause > .zero, pause < Self.pause {
        self.breaches.append(self.breach("two reduced locations, \(pause) apart", in: world))
      }
    }
    if self.newest.map({ place.time > $0.time }) ?? true { self.newest = place }
  }
}
