/// A program on the client library, which somebody runs for a time.
package struct LibraryPlan: Hashable, Sendable {
  package enum Use: Hashable, Sendable {
    /// Asks for the position again and again. The timeout is in seconds.
    case asks(every: Duration, accuracy: Double, timeout: Int)
    /// Follows the position; with so many seconds between two fixes.
    case follows(interval: Int)
    /// Follows the position as a tracker, to which a city's accuracy is enough.
    case tracks(interval: Int)
  }

  package var name: String
  package var uid: UInt32
  package var from: Duration
  package var to: Duration
  package var use: Use

  package init(_ name: String, uid: UInt32 = 1005, _ use: Use, from: Duration, to: Duration) {
    (self.name, self.uid, self.use, self.from, self.to) = (name, uid, use, from, to)
  }
}

/// The bridge to MQTT, from the script's beginning to its end.
package struct BridgePlan: Hashable, Sendable {
  package var regions: [ProgramPlan.RegionPlan]

  /// The bridge's user.
  package static let uid: UInt32 = 1006

  package init(regions: [ProgramPlan.RegionPlan]) { self.regions = regions }
}
