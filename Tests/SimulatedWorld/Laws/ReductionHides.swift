import Positioning

/// A client of reduced precision gets reduced fixes and nothing else of the position, and all clients get the same ones.
struct ReductionHides: Law {
  static let promise = Promise(
    "docs/reduced-precision.md",
    "At most every 10 minutes, one fix becomes a reduced fix: the first one whose accuracy is known and no worse than 2000 m."
  )
  private static let pause: Duration = .seconds(10 * 60)
  private static let members: Set<String> = [
    "latitude", "longitude", "horizontalAccuracy", "horizontalAccuracy95", "time", "arrival", "age", "lag", "mode",
    "status", "reduced",
  ]

  private(set) var breaches: [Breach] = []
  private var users: Set<UInt32> = []
  private var reduced: Set<String> = []
  /// The newest reduced fix that anybody has got.
  private var newest: (time: Duration, text: String)?
  private var older: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .administered(let request, let answer):
      guard answer["error"] == nil, let parameters = JSON(request)?["params"], let user = parameters["user"]?.number
      else {
        return
      }
      if parameters["precision"]?.string == "reduced" {
        self.users.insert(UInt32(user))
      } else {
        self.forget(UInt32(user), in: world)
      }
    case .fault(let fault, begins: false):
      if case .reduced(let user) = fault.kind { self.forget(user, in: world) }
    case .replied(_, let prompt, .allow(isReduced: false, isRemembered: true)):
      // A person's answer is stored in place of what the administrator granted.
      if let user = prompt["params"]?["principal"]?["uid"]?.number { self.users.remove(UInt32(user)) }
    case .connected(let program):
      if self.users.contains(program.plan.uid) { self.reduced.insert(program.plan.name) }
    case .disconnected(let program): self.reduced.remove(program.plan.name)
    case .notified(let program, "authorization.changed", let message):
      if message["params"]?["precision"]?.string == "reduced" {
        self.reduced.insert(program.plan.name)
      } else {
        self.reduced.remove(program.plan.name)
      }
    case .notified(let program, let method, let message):
      if self.reduced.contains(program.plan.name), method == "visit.update" || method == "heading.update" {
        self.breaches.append(self.breach("\(program.plan.name) is reduced, and gets \(method)", in: world))
      }
      for fix in message["params"]?.fixes ?? [] { self.check(fix, of: program, in: world) }
    case .answered(let program, _, let message):
      for fix in message["result"]?.fixes ?? [] { self.check(fix, of: program, in: world) }
    case _: break
    }
  }

  private mutating func forget(_ user: UInt32, in world: World) {
    self.users.remove(user)
    for program in world.programs where program.plan.uid == user { self.reduced.remove(program.plan.name) }
  }

  private mutating func check(_ fix: JSON, of program: Program, in world: World) {
    guard !program.plan.isHeir else { return }
    guard fix["reduced"]?.bool == true else {
      guard self.reduced.contains(program.plan.name), fix["latitude"] != nil else { return }
      self.breaches.append(self.breach("\(program.plan.name) is reduced, and gets the fix \(fix.text)", in: world))
      return
    }
    guard case .object(let members) = fix else { return }
    let others = members.keys.filter { !Self.members.contains($0) }.sorted()
    if !others.isEmpty { self.breaches.append(self.breach("a reduced fix has \(others)", in: world)) }
    guard let latitude = fix["latitude"]?.number, let longitude = fix["longitude"]?.number, let time = fix["time"]?.time
    else {
      return
    }
    self.compare("\(latitude) \(longitude)", at: world.moment(of: time), in: world)
  }

  private mutating func compare(_ text: String, at time: Duration, in world: World) {
    // Without the disk a restart may forget the newest one, and times are those of the wall clock.
    let isKept = world.script.faults.allSatisfy {
      switch $0.kind {
      case .diskFull, .diskBroken, .locked, .clockStep: false
      case _: true
      }
    }
    guard isKept, !self.older.contains("\(time) \(text)") else { return }
    guard let newest = self.newest else {
      self.newest = (time, text)
      return
    }
    if time == newest.time, text != newest.text {
      self.breaches.append(self.breach("the reduced fix of \(time) is \(newest.text) and \(text)", in: world))
    }
    guard time > newest.time else { return }
    if time - newest.time < Self.pause - .seconds(2) {
      self.breaches.append(self.breach("two reduced fixes, of \(newest.time) and of \(time)", in: world))
    }
    self.older.insert("\(newest.time) \(newest.text)")
    self.newest = (time, text)
  }
}
