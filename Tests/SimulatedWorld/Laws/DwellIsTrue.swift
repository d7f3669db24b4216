import Positioning

/// Only time inside counts for a dwell.
struct DwellIsTrue: Law {
  static let promise = Promise(
    "docs/protocol.md",
    "`dwell` needs `dwellTime`, and is reported once the device has been inside for that time, as far as fixes show it")

  private(set) var breaches: [Breach] = []
  private var seen: Set<String> = []
  /// Regions whose dwell was reported, and since then no exit.
  private var dwelt: Set<String> = []
  /// Since when the receiver is watched.
  private var watchedSince: Duration?
  /// How far outside a device may be that no fix shows to be there: the 95 % radius, the margin and the error; metres.
  private static let edge = 40.0
  /// For how many seconds a fix shows where the device is, and the same with a receiver that reports each second.
  private static let lifetime = 11.0
  private static let glance = 2.5
  /// The greatest speed with which a device is reckoned, metres per second.
  private static let speed = 70.0

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "region.event", let message) = observation,
      case .watches(let regions, _) = program.plan.kind, let event = message["params"],
      let region = regions.first(where: { $0.id == event["id"]?.string }), let dwellTime = region.dwellTime
    else {
      if case .hardware(let isWatched, _) = observation {
        self.watchedSince = isWatched ? self.watchedSince ?? world.elapsed : nil
      }
      // What is registered without a durable name begins again with its connection.
      if case .disconnected(let program) = observation, program.durableName == nil {
        self.dwelt = self.dwelt.filter { !$0.hasPrefix(program.plan.name + " ") }
      }
      // Where the device was meanwhile, nobody knows.
      if case .fault(let fault, begins: false) = observation, fault.kind.hidesStays { self.dwelt = [] }
      return
    }
    if let number = event["eventId"]?.number, !self.seen.insert("\(program.plan.name) \(Int(number))").inserted {
      return
    }
    let stay = "\(program.plan.name) \(region.id)"
    guard event["event"]?.string == "dwell" else {
      self.dwelt.remove(stay)
      return
    }
    if !self.dwelt.insert(stay).inserted {
      self.breaches.append(self.breach("\(stay): a second dwell of one stay", in: world))
    }
    // Delivered later, if it waited for the program.
    let moment = event["fix"]?["time"]?.time.map { world.moment(of: $0) } ?? world.elapsed
    let isDelayed = world.script.isDisturbed(
      from: moment - .seconds(dwellTime), to: world.elapsed, margin: .seconds(60))
    guard event["fix"] != nil || !isDelayed else { return }
    if !isDelayed { self.checkEnd(region, of: stay, at: moment, in: world) }
    let accuracy = event["fix"]?["horizontalAccuracy"]?.number ?? 10
    var at = moment - .seconds(dwellTime)
    while at < moment {
      let distance = world.script.track.place(at: max(.zero, at)).distance(to: region.center)
      if distance > region.radius + 4 * accuracy + 50 {
        self.breaches.append(
          self.breach(
            "\(program.plan.name) \(region.id): dwell of \(dwellTime) s, and \(moment - at) before, the device was at "
              + "\(distance) m of \(region.radius) m", in: world))
        return
      }
      at += .seconds(1)
    }
  }

  /// The device has not left: for so long a fix inside counts, unless another one shows that it leaves.
  private mutating func checkEnd(
    _ region: ProgramPlan.RegionPlan, of stay: String, at moment: Duration, in world: World
  ) {
    let track = world.script.track
    let speed = track.greatestSpeed(from: max(.zero, moment - .seconds(15)), to: moment)
    let isSeen = self.watchedSince.map { moment - $0 > .seconds(60) } ?? false
    let reach = Self.edge + speed * (isSeen ? Self.glance : Self.lifetime)
    let distance = track.place(at: moment).distance(to: region.center)
    guard distance > region.radius + reach, speed <= Self.speed else { return }
    self.breaches.append(
      self.breach("\(stay): dwell, and the device is at \(distance) m of \(region.radius) m", in: world))
  }
}

extension Fault.Kind {
  /// Whether regions begin anew after it.
  fileprivate var hidesStays: Bool {
    switch self {
    case .denied, .reduced, .disabled, .powerCut: true
    case _:
      false
    }
  }
}
