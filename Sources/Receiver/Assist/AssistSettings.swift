import Positioning

/// Whether and by what a start of the receiver is assisted, as the configuration has it.
package struct AssistSettings: Hashable, Sendable {
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    /// With the rungs that write to the receiver or cut its power.
    case auto
    case off
  }

  package var mode = Mode.auto
  /// The folder with files of predicted orbits; `nil`: none.
  package var folder: String?
  /// How wrong the system clock may be where nothing synchronises it; `nil`: nobody knows.
  package var clockError: Duration?

  package init() {}

  /// Whether a receiver of this rung is assisted: with `watch` nothing is ever written to it.
  func applies(to rung: PowerRung) -> Bool { self.mode == .auto && rung != .watch }
}

/// The system clock, and how wrong it may be.
struct AssistClock: Hashable, Sendable {
  var time: Timestamp
  /// `nil`: nobody knows.
  var error: Duration?
}
