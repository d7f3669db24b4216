import Geodesy
import PositionProtocol
package import Positioning

/// Makes a track of fixes as they arrive.
///
/// A track has segments. Within a segment the fixes follow each other closely, and a line between two of them
/// approximates the way of the device. A segment ends with a lost fix, and with a gap, for example because the machine
/// was suspended.
package struct TrackRecorder: Sendable {
  /// The most fixes in one file: five days at one a second, in about 100 MB of memory.
  package static let capacity = 500_000
  /// A longer time without a fix is a gap, in seconds, unless fixes are requested less often.
  static let shortestGap = 30.0

  /// The segments; none is empty.
  package private(set) var segments: [[TrackPoint]] = []
  package private(set) var odometer = Odometer()
  package private(set) var count = 0
  /// The path of the newest fix's receiver as gpsd knows it.
  package private(set) var device: String?
  private var isInterrupted = true
  /// In seconds: the limit for the age of a dilution of precision, and for the time without a fix.
  private let gap: Double
  private let minDistance: Double
  private let capacity: Int
  private var newestHDOP: (value: Double, arrival: Double)?

  /// - Parameters:
  ///   - minInterval: The requested interval in seconds.
  ///   - minDistance: The requested distance in metres. With it, a stationary device has no fixes, and a time without
  ///   fixes is no gap.
  package init(minInterval: Double = 1, minDistance: Double = 0, capacity: Int = TrackRecorder.capacity) {
    self.capacity = capacity
    self.gap = max(Self.shortestGap, 5 * minInterval)
    self.minDistance = minDistance
  }

  package var newest: TrackPoint? { self.segments.last?.last }

  package var isFull: Bool { self.count >= self.capacity }

  /// Takes a fix. It is ignored if it did not arrive after the previous one, or if its place is impossible.
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

  /// The fix was lost.
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
