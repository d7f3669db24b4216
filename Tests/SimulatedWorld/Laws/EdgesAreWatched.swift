import Positioning

/// A region is looked at as soon as the device can have reached its edge.
struct EdgesAreWatched: Law {
  static let promise = Promise(
    "docs/energy.md",
    """
    is due when the device can have moved from its last fix to the region's edge, at 70 m/s, or when that fix is 15 minutes \
    old; and the region's `latency` later.
    """)
  /// The receiver's start, and the time for which a decision must hold.
  private static let bound: Duration = .seconds(90)
  /// Units take their time too.
  private static let boundOfUnits: Duration = .seconds(180)
  /// So long after a region was added the first fix is there, also of a receiver that starts cold.
  private static let first: Duration = .seconds(180)
  /// So deep inside, and so far outside, each fix of a good receiver shows it; metres.
  private static let depth = 40.0
  private static let distance = 60.0
  private static let speed = 70.0
  private static let longest: Duration = .seconds(900)

  private struct Watch {
    let program: Program
    let region: ProgramPlan.RegionPlan
    let since: Duration
    /// What was reported last: "enter" or "exit"; `nil`: nothing.
    var reported: String?
    /// On which side of the edge the device surely is, and since when.
    var side: String?
    var sideSince: Duration
  }

  private(set) var breaches: [Breach] = []
  private var watches: [String: Watch] = [:]
  private var events: [String: Int] = [:]
  private var seenUntil: Duration = .zero

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "region.add":
      guard message["error"] == nil, case .watches(let regions, _) = program.plan.kind,
        let id = JSON(request.parameters)?["id"]?.string, let region = regions.first(where: { $0.id == id })
      else {
        return
      }
      let key = RegionReport.key(program, id)
      if self.watches[key] == nil {
        self.watches[key] = Watch(program: program, region: region, since: world.elapsed, sideSince: world.elapsed)
      }
    case .sent(let program, let request) where request.method == "durable.remove": self.end(program)
    case .disconnected(let program):
      // What is under a durable name goes on.
      if program.durableName == nil { self.end(program) }
    case .notified(let program, "authorization.changed", let message):
      // Its durable name is not attached any more.
      if message["params"]?["state"]?.string == "denied" { self.end(program) }
    case .notified(_, "region.event", _):
      guard let report = RegionReport(observation) else { return }
      if report.kind == "expired" { return self.watches[report.key] = nil }
      guard report.kind == "enter" || report.kind == "exit" else { return }
      if let number = report.event["eventId"]?.number.map({ Int($0) }) {
        guard number > self.events[report.program.plan.name] ?? 0 else { return }
        self.events[report.program.plan.name] = number
      }
      self.watches[report.key]?.reported = report.kind
    case .tick: self.look(in: world)
    case _: break
    }
  }

  private mutating func end(_ program: Program) {
    guard case .watches(let regions, _) = program.plan.kind else { return }
    for region in regions { self.watches[RegionReport.key(program, region.id)] = nil }
  }

  /// Where the device was in each second since it was looked at last.
  private mutating func look(in world: World) {
    guard !self.watches.isEmpty else { return self.seenUntil = world.elapsed }
    var places: [(at: Duration, place: Track.Place)] = []
    while self.seenUntil < world.elapsed {
      places.append((self.seenUntil, world.script.track.place(at: self.seenUntil)))
      self.seenUntil += .seconds(1)
    }
    for key in self.watches.keys.sorted() {
      guard var watch = self.watches[key] else { continue }
      for (moment, place) in places {
        let beyond = place.distance(to: watch.region.center) - watch.region.radius
        let side = beyond < -Self.depth ? "enter" : beyond > Self.distance ? "exit" : nil
        if side != watch.side { (watch.side, watch.sideSince) = (side, moment) }
      }
      self.judge(&watch, key, in: world)
      self.watches[key] = watch
    }
  }

  private mutating func judge(_ watch: inout Watch, _ key: String, in world: World) {
    guard let side = watch.side, side != watch.reported else { return }
    let bound =
      (world.script.rung == .unit ? Self.boundOfUnits : Self.bound) + .seconds(watch.region.latency ?? 0)
    guard world.elapsed - watch.sideSince > bound, world.elapsed - watch.since > bound + Self.first,
      !Self.isDisturbed(from: world.elapsed - bound, in: world)
    else {
      return
    }
    defer { watch.reported = side }
    // The state in which it began.
    guard watch.reported != nil,
      !Self.isFast(from: watch.sideSince - Self.longest - bound, to: watch.sideSince, in: world)
    else {
      return
    }
    self.breaches.append(
      self.breach("\(key): no \(side), and the device is there since \(watch.sideSince)", in: world))
  }

  /// Whether something keeps the receiver from showing where the device is.
  static func isDisturbed(from: Duration, in world: World) -> Bool {
    // After searches in vain are pauses of up to an hour.
    world.script.isDisturbed(from: from, to: world.elapsed, margin: .seconds(3700)) { !$0.isStraying && !$0.isVague }
      || world.script.isDisturbed(from: from, to: world.elapsed, margin: .seconds(300), by: \.isVague)
  }

  /// Whether the device became faster than is reckoned with, which no fix may have shown.
  private static func isFast(from: Duration, to: Duration, in world: World) -> Bool {
    let track = world.script.track
    var begins = Duration.zero
    for leg in track.legs {
      if leg.speed > Self.speed, begins > from, begins < to { return true }
      begins += leg.duration
    }
    return false
  }
}
