package import Positioning

/// A stay of the device at one place, as positiond reported it or as an imported file has it.
package struct Stay: Hashable, Sendable {
  /// The visit's number at positiond; `nil`: it was imported, or found in the fixes.
  package var number: Int?
  package var place: Coordinate
  /// Metres: the 68 % radius of the middle.
  package var accuracy: Double?
  /// `nil`: nobody knows.
  package var arrival: Timestamp?
  /// `nil`: it lasts.
  package var departure: Timestamp?

  package init(
    number: Int? = nil, place: Coordinate, accuracy: Double?, arrival: Timestamp?, departure: Timestamp?
  ) {
    self.number = number
    self.place = place
    self.accuracy = accuracy
    self.arrival = arrival
    self.departure = departure
  }
}

/// An event of a region.
package struct Passage: Hashable, Sendable {
  package var time: Timestamp
  package var region: String
  package var kind: RegionEventKind
  /// Where the device was; `nil`: no fix caused it.
  package var place: Coordinate?

  package init(time: Timestamp, region: String, kind: RegionEventKind, place: Coordinate?) {
    self.time = time
    self.region = region
    self.kind = kind
    self.place = place
  }
}

/// A time of which nothing is recorded, and why.
package struct Gap: Hashable, Sendable {
  package enum Cause: String, Hashable, Sendable, CaseIterable {
    /// The recorder did not run.
    case off
    /// positiond was away.
    case disconnected
    /// positiond did not permit it.
    case denied
    /// A person paused it.
    case paused
    /// The disk was full.
    case full
    /// No program needed the receiver, and the history never does by itself.
    case unneeded
    /// The receiver had no fix.
    case noFix
    /// There was no receiver, or gpsd was away.
    case noReceiver
    /// The fixes could not be trusted.
    case untrusted

    package var text: String {
      switch self {
      case .off: "the recorder did not run"
      case .disconnected: "positiond was away"
      case .denied: "positiond did not permit it"
      case .paused: "recording was paused"
      case .full: "the disk had no room"
      case .unneeded: "no program needed the receiver"
      case .noFix: "the receiver had no fix"
      case .noReceiver: "there was no receiver"
      case .untrusted: "the fixes could not be trusted"
      }
    }
  }

  package var start: Timestamp
  /// `nil`: it lasts.
  package var end: Timestamp?
  package var cause: Cause

  package init(start: Timestamp, end: Timestamp?, cause: Cause) {
    self.start = start
    self.end = end
    self.cause = cause
  }
}

/// The receiver was on or off from this time on.
package struct PowerChange: Hashable, Sendable {
  package var time: Timestamp
  package var isOn: Bool

  package init(time: Timestamp, isOn: Bool) {
    self.time = time
    self.isOn = isOn
  }
}

/// What is added to the history.
package enum HistoryRecord: Hashable, Sendable {
  case fix(HistoryFix)
  case stay(Stay)
  case passage(Passage)
  case power(PowerChange)
  /// Something is missing from now on.
  case gapBegan(Gap.Cause, at: Timestamp)
  /// Nothing is missing any more.
  case gapEnded(at: Timestamp)
  /// The events of the durable name up to this one are in the history.
  case event(Int)
}
