import Geodesy
package import Positioning
package import Systemd

/// A fix as GeoClue's `Location` has it.
package struct Location: Hashable, Sendable {
  let fix: Fix
  /// When the fix arrived. A receiver's own time may be wrong by decades.
  let time: Timestamp

  package init(_ fix: Fix, time: Timestamp) {
    self.fix = fix
    self.time = time
  }

  var arrival: Instant { self.fix.arrival }

  func distance(from other: Location) -> Double {
    Geodesy.distance(from: other.fix.coordinate, to: self.fix.coordinate)
  }

  /// The radius of 68 %; -1 if it is unknown.
  private var accuracy: Double { self.fix.horizontalAccuracy ?? -1 }

  package var properties: [String: BusValue] {
    let milliseconds = UInt64(max(0, self.time.milliseconds))
    return [
      "Latitude": .double(self.fix.latitude),
      "Longitude": .double(self.fix.longitude),
      "Accuracy": .double(self.accuracy),
      "Altitude": .double(self.fix.altitude ?? -Double.greatestFiniteMagnitude),
      "Speed": .double(self.fix.speed ?? -1),
      "Heading": .double(self.fix.course ?? -1),
      "Description": .string(""),
      "Timestamp": .structure([.uint64(milliseconds / 1000), .uint64(milliseconds % 1000 * 1000)]),
    ]
  }
}
