import Geodesy
import PositionProtocol
package import Positioning

/// Makes a track of fixes as they come.
///
/// A track has segments: within one the fixes follow each other closely, and a line between two of them is about the
/// way that the device took. A loss ends a segment, and so does a gap, as after the machine slept.
package struct TrackRecorder: Sendable {
  /// So many fixes are enough for one file: five days, one a second, in about 100 MB of memory.
  package static let capacity = 500_000
  /// Seconds without a fix that are a gap, unless fixes are asked for less often.
  static let shortestGap = 30.0

  /// None is empty.
  package private(set) var segments: [[TrackPoint]] = []
  package private(set) var odometer = Odometer()
  package private(set) var count = 0
  /// The receiver's path as gpsd knows it; the newest one.
  package private(set) var device: String?
  private var isInterrupted = true
  /// How old a dilution of precision may be, and how long may be without a fix; seconds.
  private let gap: Double
  private let minDistance: Double
  private let capacity: Int
  private var newestHDOP: (value: Double, arrival: Double)?

  /// - Parameters:
  ///   - minInterval: As was asked for; seconds.
  ///   - minDistance: As was asked for; metres. A device at rest has no fixes then, and no gap.
  package init(minInterval: Double = 1, minDistance: Double = 0, capacity: Int = TrackRecorder.capacity) {
    self.capacity = capacity
    self.gap = max(Self.shortestGap, 5 * minInterval)
    self.minDistance = minDistance
  }

  package var newest: TrackPoint? { self.segments.last?.last }

  package var isFull: Bool { self.count >= self.capacity }

  /// Takes a fix. One that did not arrive after the one before it is passed over, and so is one that is at no place.
  package mutating func fixed(_ fix: Fix) {
    if let newest, fix.arrival.sinceBoot.seconds <= newest.arrival { return }
    let arrival = fix.arrival.sinceBoot.seconds
    let hdop = self.newestHDOP.flatMap { abs(arrival - $0.arrival) <= self.gap ? $0.value : nil }
    guard let point = TrackPoint(fix, hdop: hdop) else { return }
    if self.isInterrupted || self.isGap(before: point) {
      self.odometer.interrupted()
      self.segments.append([])
    }
    self.isInterrupted = false
    self.odometer.moved(to: point.place, accuracy: point.horizontalAccuracy)
    self.segments[self.segments.count - 1].append(point)
    self.count += 1
    self.device = fix.device ?? self.device
  }

  /// There are no fixes for now.
  package mutating func lost() { self.isInterrupted = true }

  package mutating func saw(_ sky: Sky?) {
    guard let sky, let hdop = sky.hdop else { return }
    self.newestHDOP = (hdop, sky.arrival.sinceBoot.seconds)
  }

  private func isGap(before point: TrackPoint) -> Bool {
    guard let newest, point.arrival - newest.arrival > self.gap else { return false }
    return self.minDistance == 0 || Geodesy.distance(from: newest.place, to: point.place) > 3 * self.minDistance
  }
}
