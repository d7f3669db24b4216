/// Whether a fix can be trusted, as far as there is evidence.
public enum Integrity: String, Hashable, Sendable, CaseIterable {
  /// The receiver's time and movement agree with what is possible, and nothing speaks against the fix.
  case trusted
  /// Something speaks against it that also has harmless causes.
  case suspect
  /// It is false, as far as anybody can know: it is shown only to those who ask for it, and decides nothing.
  case untrusted
}

/// What speaks against a fix.
public enum IntegrityReason: String, Hashable, Sendable, CaseIterable {
  /// The receiver reports that it is being jammed.
  case jamming
  /// The receiver reports that it hears signals that are no satellite's.
  case spoofing
  /// The receiver's time went another way than the clock that counts since boot, by more than drift explains.
  case time
  /// The position moves as the reported speed does not, or as nothing can.
  case speed
  /// All satellites have one strength, or rose or fell together.
  case signal
  /// The position stands still while the receiver reports that it moves.
  case stuck
  /// Another receiver of the same gpsd is farther away than the errors of both explain.
  case disagreement

  /// What it means, as a clause.
  package var text: String {
    switch self {
    case .jamming: "the receiver reports that it is being jammed"
    case .spoofing: "the receiver reports that it hears false signals"
    case .time: "the receiver's time went another way than this machine's clock"
    case .speed: "the position moves as the reported speed does not, or as nothing can"
    case .signal: "all satellites have one strength, or rose or fell together"
    case .stuck: "the position stands still while the receiver reports a speed"
    case .disagreement: "another receiver is elsewhere"
    }
  }
}

/// A set of reasons. Their order is always that of `IntegrityReason`.
public struct IntegrityReasons: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt8 = 0

  public init(_ reasons: some Sequence<IntegrityReason>) {
    for reason in reasons { self.insert(reason) }
  }

  public init(arrayLiteral reasons: IntegrityReason...) { self.init(reasons) }

  public var isEmpty: Bool { self.bits == 0 }

  public func contains(_ reason: IntegrityReason) -> Bool { self.bits & reason.bit != 0 }

  public mutating func insert(_ reason: IntegrityReason) { self.bits |= reason.bit }

  /// The reasons in their order.
  public var list: [IntegrityReason] {
    get { self.bits == 0 ? [] : IntegrityReason.allCases.filter { self.contains($0) } }
    set { self = IntegrityReasons(newValue) }
  }

  /// What they mean, in words.
  package var text: String { self.list.map(\.text).joined(separator: "; ") }
}

extension IntegrityReason {
  fileprivate var bit: UInt8 {
    switch self {
    case .jamming: 1
    case .spoofing: 2
    case .time: 4
    case .speed: 8
    case .signal: 16
    case .stuck: 32
    case .disagreement: 64
    }
  }
}

/// The least integrity of a fix that a program accepts.
public enum IntegrityDemand: String, Hashable, Sendable, CaseIterable {
  /// Only fixes for which evidence speaks.
  case trusted
  /// All but those that are untrusted. A suspect fix is marked.
  case suspect
  /// All. An untrusted fix is marked.
  case any

  package func accepts(_ fix: Fix) -> Bool {
    switch self {
    case .trusted: fix.integrity == .trusted
    case .suspect: fix.integrity != .untrusted
    case .any: true
    }
  }
}
