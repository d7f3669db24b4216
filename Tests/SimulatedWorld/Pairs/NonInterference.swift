import Positioning

/// Two worlds differ only in what a client may not know: what it gets is equal.
///
/// Both have the same script but for the device's way while a user is denied, or has reduced precision. Denied, the device is
/// somewhere else entirely. Reduced, it goes for some walks near the places where it rests, which other programs notice.
package enum NonInterference: Pair {
  package static let promise = Promise(
    "docs/permission.md",
    "While a client is denied it gets the same wherever the device is, but for times and for the "
      + "[status](protocol.md#status), which says when the receiver works and nothing of where it is.")

  private static let user: UInt32 = 1001
  /// What an answer that is under way, and a loss of connection at one moment, may make of the end.
  private static let edge = 2

  // MARK: The worlds

  package static func script(seed: UInt64) -> Script {
    var script = Script(seed: seed, hasAdditions: false)
    // Two hours of two worlds.
    script.length = .seconds(7200)
    script.faults.removeAll { $0.at + $0.lasts > script.length }
    script.programs.removeAll { $0.from > script.length || $0.name == "calm" }
    let isDenied = seed.isMultiple(of: 2)
    script.faults.removeAll {
      switch $0.kind {
      case .denied, .reduced, .disabled, .unread, .diskFull, .diskBroken, .powerCut: true
      case _: false
      }
    }
    // Others, who may know.
    for place in script.programs.indices where script.programs[place].uid == Self.user {
      script.programs[place].uid = 1000
    }
    let rests = script.track.rests(atLeast: .seconds(600))
    if !isDenied { script.track = Track(script.track.legs.map { Self.slow($0) }) }
    var edgeOfRegion = rests.first?.place ?? Track.Place(east: 0, north: 0)
    edgeOfRegion.east += 4540
    let region = ProgramPlan.RegionPlan(id: "region", center: edgeOfRegion, radius: 4500)
    let kinds: [ProgramPlan.Kind] = [
      .asks(every: .seconds(700), accuracy: 5000, timeout: 30), .asks(every: .seconds(900), accuracy: 20, timeout: 30),
      .follows(interval: 10, distance: 0), .notices(distance: 5000), .watches([region], durable: false),
      .watches([region], durable: true), .visits(durable: false), .overhears,
    ]
    for (number, kind) in kinds.enumerated() {
      script.programs.append(
        ProgramPlan(
          "hidden\(number)", uid: Self.user, kind, from: .seconds(10), to: script.length + Script.leaving))
    }
    let (from, to) = (script.length * 0.2, script.length * 0.8)
    script.faults.append(
      Fault(isDenied ? .denied(uid: Self.user) : .reduced(uid: Self.user), at: from, lasts: to - from))
    script.faults.sort { $0.at < $1.at }
    return script
  }

  /// No faster than on foot: between the 10 minutes of two reduced fixes a car crosses whole cells.
  private static func slow(_ leg: Track.Leg) -> Track.Leg {
    var leg = leg
    leg.speed = min(leg.speed, 1.4)
    return leg
  }

  package static func other(of script: Script) -> Script {
    guard let hiding = script.hiding else { return script }
    var other = script
    var at = Duration.zero
    other.track = Track(
      script.track.legs.flatMap { leg -> [Track.Leg] in
        defer { at += leg.duration }
        guard at > hiding.at + .seconds(60) else { return [leg] }
        return hiding.isDenial ? [Self.elsewhere(leg)] : Self.walks(in: leg)
      })
    return other
  }

  private static func elsewhere(_ leg: Track.Leg) -> Track.Leg {
    leg.speed == 0
      ? Track.Leg(leg.duration, speed: 9, course: 77) : Track.Leg(leg.duration, speed: 0, course: leg.course)
  }

  private static func walks(in leg: Track.Leg) -> [Track.Leg] {
    guard leg.speed == 0, leg.duration >= .seconds(600) else { return [leg] }
    let away = Duration.seconds(60)
    let rest = (leg.duration - away * 2) * 0.5
    return [
      Track.Leg(rest, speed: 0, course: 0), Track.Leg(away, speed: 1.4, course: 90),
      Track.Leg(rest, speed: 0, course: 0), Track.Leg(away, speed: 1.4, course: 270),
    ]
  }

  // MARK: The law

  package static func breaches(of script: Script, _ records: ([Record], [Record])) -> [Breach] {
    guard let hiding = script.hiding else { return [] }
    let one = Transcripts(records.0, hiding)
    let two = Transcripts(records.1, hiding)
    // The way is not hidden if it shows in the reduced fixes themselves.
    guard one.points == two.points else { return [] }
    var breaches: [Breach] = []
    for name in Set(one.connections.keys).union(two.connections.keys).sorted() {
      let (left, right) = (one.connections[name] ?? [], two.connections[name] ?? [])
      if left.count != right.count {
        breaches.append(Self.breach("\(name) is connected \(left.count) and \(right.count) times", at: hiding.at))
      }
      for (left, right) in zip(left, right) {
        if let pair = zip(left, right).first(where: { $0.0 != $0.1 }) {
          breaches.append(Self.breach("\(name) gets \(pair.0), or \(pair.1)", at: hiding.at))
        } else if abs(left.count - right.count) > Self.edge {
          breaches.append(
            Self.breach("\(name) gets \(left.count) messages, or \(right.count): \(left) and \(right)", at: hiding.at))
        }
      }
    }
    return breaches
  }

  /// What each program of the user got on each of its connections while the position was hidden from it.
  private struct Transcripts {
    private(set) var connections: [String: [[String]]] = [:]
    /// The reduced fixes, each once.
    private(set) var points: [String] = []
    private let hiding: Script.Hiding
    /// Whether the administrator's call was answered, and nobody has begun to take it back.
    private var isHidden = false
    private var hidden: Set<String> = []

    init(_ records: [Record], _ hiding: Script.Hiding) {
      self.hiding = hiding
      for record in records { self.take(record.observation) }
    }

    private mutating func take(_ observation: Observation) {
      switch observation {
      case .administered(let request, let answer):
        if request.contains("admin.grant"), answer["error"] == nil { self.isHidden = true }
      case .fault(let fault, begins: false):
        switch fault.kind {
        case .denied, .reduced: (self.isHidden, self.hidden) = (false, [])
        case _: break
        }
      case .connected(let program):
        if self.isHidden { self.begin(program) }
      case .disconnected(let program): self.hidden.remove(program.plan.name)
      case .notified(let program, "authorization.changed", let message):
        let state = message["params"]?["state"]?.string ?? ""
        let isPrecise = message["params"]?["precision"]?.string == "precise"
        if self.hiding.isDenial ? state == "denied" || state == "restricted" : !isPrecise {
          self.begin(program)
        } else {
          self.hidden.remove(program.plan.name)
        }
      case .notified(let program, let method, let message):
        self.take(message["params"], "\(method)", of: program)
      case .answered(let program, let request, let message):
        if let fix = message["result"]?["fix"], self.hidden.contains(program.plan.name) { self.point(fix) }
        self.take(message["error"] ?? message["result"], "\(request.method)", of: program)
      case .strange(let program, let text): self.take(.string(text), "strange", of: program)
      case _:
        break
      }
    }

    private mutating func begin(_ program: Program) {
      guard program.plan.uid == NonInterference.user, self.hidden.insert(program.plan.name).inserted else { return }
      self.connections[program.plan.name, default: []].append([])
    }

    private mutating func take(_ body: JSON?, _ what: String, of program: Program) {
      guard self.hidden.contains(program.plan.name), let body,
        let last = self.connections[program.plan.name]?.indices.last
      else {
        return
      }
      // With reduced precision the client may know when there are fixes.
      if !self.hiding.isDenial {
        for fix in body.fixes { self.point(fix) }
        if what == "position.update", body.fixes.isEmpty { return }
      }
      let text = "\(what) \(body.withoutTimes(andAvailability: !self.hiding.isDenial).text)"
      if !self.hiding.isDenial, self.connections[program.plan.name]?[last].last == text { return }
      self.connections[program.plan.name]?[last].append(text)
    }

    private mutating func point(_ fix: JSON) {
      let point = "\(fix["latitude"]?.text ?? "") \(fix["longitude"]?.text ?? "")"
      if self.points.last != point { self.points.append(point) }
    }
  }
}

extension Script {
  fileprivate struct Hiding {
    let at: Duration
    let isDenial: Bool
  }

  /// When the position is hidden from a user.
  fileprivate var hiding: Hiding? {
    for fault in self.faults {
      switch fault.kind {
      case .denied: return Hiding(at: fault.at, isDenial: true)
      case .reduced: return Hiding(at: fault.at, isDenial: false)
      case _: continue
      }
    }
    return nil
  }
}

extension JSON {
  /// Without what everybody may know of the time and, if it is so, of the receiver.
  fileprivate func withoutTimes(andAvailability hidesAvailability: Bool) -> JSON {
    switch self {
    case .object(let members):
      var kept: [String: JSON] = [:]
      for (name, value) in members where !Self.times.contains(name) {
        guard !hidesAvailability || !Self.availability.contains(name) else { continue }
        kept[name] = value.withoutTimes(andAvailability: hidesAvailability)
      }
      return .object(kept)
    case .array(let elements): return .array(elements.map { $0.withoutTimes(andAvailability: hidesAvailability) })
    case .null, .bool, .number, .string: return self
    }
  }

  private static let times: Set<String> = ["time", "since", "age", "arrival", "elapsed", "lag", "decision"]
  private static let availability: Set<String> = ["availability", "diagnostics", "state", "fromCache", "replay"]
}
