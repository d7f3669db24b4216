import Positioning
package import ProgramArguments
package import ReceiverPorts

/// A scheduled fault of the receiver, its cable or its view of the sky.
package struct Fault: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The receiver hears no satellite.
    case noSky
    /// The receiver is plugged in and sends nothing.
    case silence
    /// The receiver ignores what the host writes.
    case deaf
    /// The device disappears, and is back when the fault ends.
    case unplug
    /// Line noise of this many bytes before every epoch.
    case garbage(bytes: Int)
    /// An epoch is sent in small pieces with pauses between them.
    case split
    /// Two epochs are sent in one piece, the first of them late.
    case merge
    /// This share of the messages (0 to 1) has a wrong checksum.
    case corrupt(rate: Double)
    /// The receiver's clock is wrong by this duration.
    case timeJump(Duration)
    /// The receiver's position is wrong by this distance (metres) in this direction (degrees).
    case jump(distance: Double, course: Double)
    /// The position moves away from the true one at this speed (metres per second), in this direction (degrees).
    case dragOff(speed: Double, course: Double)
    /// The receiver hears the signals of so long ago: their time and their place.
    case replay(Duration)
    /// All satellites are so much weaker, in decibels.
    case jamming(decibels: Double)
    /// The receiver hears one transmitter that repeats the sky of a place at this distance (metres) in this direction
    /// (degrees): all satellites have one strength.
    case meaconing(distance: Double, course: Double)
  }

  package var kind: Kind
  /// From the start of the simulation.
  package var start: Duration
  /// `nil`: until the end.
  package var duration: Duration?

  package init(_ kind: Kind, start: Duration = .zero, duration: Duration? = nil) {
    self.kind = kind
    self.start = start
    self.duration = duration
  }

  /// Whether the fault is active at `elapsed`.
  package func isActive(at elapsed: Duration) -> Bool {
    elapsed >= self.start && self.end.map { elapsed < $0 } != false
  }

  package var end: Duration? { self.duration.map { self.start + $0 } }
}

/// The faults of one simulation: scheduled ones, and those that are injected while it runs.
package struct FaultPlan: Hashable, Sendable {
  package var scheduled: [Fault]
  /// At most one of each kind.
  private var manual: [Fault] = []

  package init(_ scheduled: [Fault] = []) {
    self.scheduled = scheduled
  }

  /// Begins a fault that lasts until it is lifted; it replaces one of the same kind.
  package mutating func inject(_ kind: Fault.Kind, at elapsed: Duration = .zero) {
    self.lift(kind)
    self.manual.append(Fault(kind, start: elapsed))
  }

  /// Ends a fault that `inject` began, whatever its values. Scheduled faults are not affected.
  package mutating func lift(_ kind: Fault.Kind) {
    self.manual.removeAll { $0.kind.isSameKind(as: kind) }
  }

  /// All faults that are active at `elapsed`.
  package func activeFaults(at elapsed: Duration) -> ActiveFaults {
    ActiveFaults(self.scheduled.filter { $0.isActive(at: elapsed) } + self.manual, at: elapsed)
  }

  /// The next time that a scheduled fault begins or ends; `nil` if none will.
  package func nextChange(after elapsed: Duration) -> Duration? {
    self.scheduled.flatMap { [$0.start, $0.end ?? $0.start] }.filter { $0 > elapsed }.min()
  }
}

/// All active faults of one moment.
package struct ActiveFaults: Hashable, Sendable {
  package var hasSky = true
  package var isSilent = false
  package var isDeaf = false
  package var isUnplugged = false
  package var garbageBytes = 0
  package var isSplit = false
  package var isMerged = false
  package var corruptionRate = 0.0
  package var timeOffset = Duration.zero
  package var displacement: [Displacement] = []
  /// How old the signals are.
  package var delay = Duration.zero
  /// Decibels by which all signals are weaker.
  package var attenuation = 0.0
  /// What a receiver that looks at its signals finds.
  package var spoofing = Reception.Spoofing.clear
  /// The one strength of all satellites, in dBHz; `nil`: each has its own.
  package var commonStrength: Double?

  package struct Displacement: Hashable, Sendable {
    package var distance: Double
    package var course: Double
  }

  /// - Parameter elapsed: The moment, from the start of the simulation.
  package init(_ faults: [Fault] = [], at elapsed: Duration = .zero) {
    for fault in faults {
      switch fault.kind {
      case .noSky: self.hasSky = false
      case .silence: self.isSilent = true
      case .deaf: self.isDeaf = true
      case .unplug: self.isUnplugged = true
      case .garbage(let bytes): self.garbageBytes += bytes
      case .split: self.isSplit = true
      case .merge: self.isMerged = true
      case .corrupt(let rate): self.corruptionRate = max(self.corruptionRate, rate)
      case .timeJump(let offset): self.timeOffset += offset
      case .jump(let distance, let course):
        self.displacement.append(Displacement(distance: distance, course: course))
      case .dragOff(let speed, let course):
        let distance = speed * (elapsed - fault.start).seconds
        self.displacement.append(Displacement(distance: distance, course: course))
        self.find(.indicated)
      case .replay(let delay):
        self.delay += delay
        self.find(.affirmed)
      case .jamming(let decibels): self.attenuation += decibels
      case .meaconing(let distance, let course):
        self.displacement.append(Displacement(distance: distance, course: course))
        self.commonStrength = Self.transmitterStrength
        self.find(.affirmed)
      }
    }
  }

  private mutating func find(_ spoofing: Reception.Spoofing) {
    if spoofing.rawValue > self.spoofing.rawValue { self.spoofing = spoofing }
  }

  /// A transmitter nearby is as strong as a satellite overhead.
  private static let transmitterStrength = 46.0
}

extension Fault.Kind {
  /// The kind's name in a specification.
  package var name: String {
    switch self {
    case .noSky: "nosky"
    case .silence: "silence"
    case .deaf: "deaf"
    case .unplug: "unplug"
    case .garbage: "garbage"
    case .split: "split"
    case .merge: "merge"
    case .corrupt: "corrupt"
    case .timeJump: "timejump"
    case .jump: "jump"
    case .dragOff: "dragoff"
    case .replay: "replay"
    case .jamming: "jamming"
    case .meaconing: "meaconing"
    }
  }

  fileprivate func isSameKind(as other: Fault.Kind) -> Bool {
    self.name == other.name
  }
}

extension Fault {
  /// The forms of a fault, as an error or a help text lists them.
  package static let forms = """
    nosky, silence, deaf, unplug, garbage[=BYTES], split, merge, corrupt[=SHARE], timejump=[+|-]TIME (1024weeks), \
    jump=METRES[,COURSE], dragoff=SPEED[,COURSE], replay=TIME, jamming=DECIBELS, meaconing=METRES[,COURSE]; each with @START[+DURATION], for example nosky@10s+5s
    """

  /// Reads `KIND[=VALUE][@START[+DURATION]]`. Without a start the fault is active from the beginning, without a
  /// duration until the end.
  package init(parsing text: String) throws(UsageError) {
    var head = text[...]
    var start = Duration.zero
    var duration: Duration?
    if let at = text.firstIndex(of: "@") {
      head = text[..<at]
      let when = text[text.index(after: at)...].split(separator: "+", omittingEmptySubsequences: false)
      guard when.count <= 2 else {
        throw UsageError("\(text): more than one + after the @; expected @START+DURATION")
      }
      start = try Specification.duration(when[0], name: "START", of: text)
      guard start >= .zero else { throw UsageError("\(text): START is before the beginning") }
      if when.count == 2 {
        let given = try Specification.duration(when[1], name: "DURATION", of: text)
        guard given > .zero else { throw UsageError("\(text): DURATION must be more than 0") }
        duration = given
      }
    }
    let equals = head.firstIndex(of: "=")
    let value = equals.map { head[head.index(after: $0)...] }
    self.init(
      try Kind(name: head[..<(equals ?? head.endIndex)], value: value, of: text), start: start, duration: duration)
  }
}

extension Fault.Kind {
  fileprivate init(name: Substring, value: Substring?, of whole: String) throws(UsageError) {
    let plain: [Self] = [.noSky, .silence, .deaf, .unplug, .split, .merge]
    if let kind = plain.first(where: { $0.name == name }) {
      guard value == nil else { throw UsageError("\(whole): \(kind.name) takes no value") }
      self = kind
      return
    }
    switch name {
    case "garbage":
      self = .garbage(bytes: Int(try Specification.number(value ?? "64", name: "BYTES", in: 1...4096, of: whole)))
    case "corrupt":
      self = .corrupt(rate: try Specification.number(value ?? "0.1", name: "SHARE", in: 0...1, of: whole))
    case "timejump":
      guard let value else { throw UsageError("\(whole): timejump needs a time, such as timejump=-1024weeks") }
      self = .timeJump(try Specification.duration(value, name: "TIME", of: whole))
    case "jump":
      guard let value else {
        throw UsageError("\(whole): jump needs a distance in metres, such as jump=500,90")
      }
      let (distance, course) = try Self.vector(value, of: name, "METRES", in: 0...10_000_000, whole)
      self = .jump(distance: distance, course: course)
    case "dragoff":
      let (speed, course) = try Self.vector(value ?? "1", of: name, "SPEED", in: 0...1000, whole)
      self = .dragOff(speed: speed, course: course)
    case "replay":
      guard let value else { throw UsageError("\(whole): replay needs a time, such as replay=1h") }
      let delay = try Specification.duration(value, name: "TIME", of: whole)
      guard delay > .zero else { throw UsageError("\(whole): TIME must be more than 0") }
      self = .replay(delay)
    case "jamming":
      self = .jamming(
        decibels: try Specification.number(value ?? "12", name: "DECIBELS", in: 0...100, of: whole))
    case "meaconing":
      let (distance, course) = try Self.vector(value ?? "500", of: name, "METRES", in: 0...10_000_000, whole)
      self = .meaconing(distance: distance, course: course)
    default:
      throw UsageError("\(whole): \"\(name)\" is no kind of fault; expected \(Fault.forms)")
    }
  }
}

extension Fault.Kind {
  /// A number and a direction, which is north unless it is given.
  private static func vector(
    _ value: Substring, of kind: Substring, _ name: String, in range: ClosedRange<Double>, _ whole: String
  ) throws(UsageError) -> (length: Double, course: Double) {
    let parts = value.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { throw UsageError("\(whole): \(kind) takes \(name) and a COURSE, no more") }
    return (
      try Specification.number(parts[0], name: name, in: range, of: whole),
      try Specification.number(parts.count == 2 ? parts[1] : "0", name: "COURSE", in: 0...360, of: whole)
    )
  }
}

/// Applies the faults of the line to an epoch's messages: noise, wrong checksums, pieces, and merged epochs.
package struct OutputShaper: Sendable {
  /// What a serial port reads at a wrong speed. None of these bytes begins a sentence.
  private static let noise: [UInt8] = [0x80, 0xE6, 0x98, 0x06, 0xF8, 0x1E]
  private static let longestPiece = 48

  private var random: SeededRandom
  /// The first of two epochs that are sent together.
  private var held: [UInt8]?

  package init(seed: UInt64) {
    self.random = SeededRandom(seed: seed)
  }

  /// The pieces to write, in order; none while an epoch is held back to be merged with the next.
  package mutating func pieces(of messages: [[UInt8]], activeFaults: ActiveFaults) -> [[UInt8]] {
    var bytes: [UInt8] = []
    for _ in 0..<activeFaults.garbageBytes {
      bytes.append(Self.noise[Int.random(in: Self.noise.indices, using: &self.random)])
    }
    for message in messages {
      let isCorrupted = Double.random(in: 0..<1, using: &self.random) < activeFaults.corruptionRate
      bytes += isCorrupted ? Self.corrupted(message) : message
    }
    if let held = self.held {
      bytes = held + bytes
      self.held = nil
    } else if activeFaults.isMerged {
      self.held = bytes
      return []
    }
    return activeFaults.isSplit ? self.split(bytes) : [bytes]
  }

  /// The message with a wrong checksum. NMEA's is before the line end, in capitals; UBX's is at the end.
  package static func corrupted(_ message: [UInt8]) -> [UInt8] {
    guard message.count > 8 else { return message }
    var message = message
    if message[0] == UInt8(ascii: "$") {
      let digit = message.count - 3
      message[digit] = message[digit] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    } else {
      message[message.count - 1] ^= 0x55
    }
    return message
  }

  private mutating func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = Int.random(in: 1...Self.longestPiece, using: &self.random)
      pieces.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return pieces
  }
}
