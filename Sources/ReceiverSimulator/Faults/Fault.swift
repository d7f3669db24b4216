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
  private var manual: [Fault.Kind] = []

  package init(_ scheduled: [Fault] = []) {
    self.scheduled = scheduled
  }

  /// Begins a fault that lasts until it is lifted; it replaces one of the same kind.
  package mutating func inject(_ kind: Fault.Kind) {
    self.lift(kind)
    self.manual.append(kind)
  }

  /// Ends a fault that `inject` began, whatever its values. Scheduled faults are not affected.
  package mutating func lift(_ kind: Fault.Kind) {
    self.manual.removeAll { $0.isSameKind(as: kind) }
  }

  /// All faults that are active at `elapsed`.
  package func activeFaults(at elapsed: Duration) -> ActiveFaults {
    ActiveFaults(self.scheduled.filter { $0.isActive(at: elapsed) }.map(\.kind) + self.manual)
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

  package struct Displacement: Hashable, Sendable {
    package var distance: Double
    package var course: Double
  }

  package init(_ kinds: [Fault.Kind] = []) {
    for kind in kinds {
      switch kind {
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
      }
    }
  }
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
    }
  }

  fileprivate func isSameKind(as other: Fault.Kind) -> Bool {
    self.name == other.name
  }
}
