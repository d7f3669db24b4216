package import Positioning

/// One TPV report of gpsd. All numbers are finite; absent and invalid ones are `nil`.
package struct PositionReport: Hashable, Sendable {
  package enum Mode: Int, Hashable, Sendable {
    /// The report does not say whether there is a fix.
    case unknown = 0
    case noFix = 1
    case twoDimensional = 2
    case threeDimensional = 3
  }

  package var device: String?
  package var mode: Mode
  /// gpsd's number of the kind of solution: 0 and 1 are plain GNSS, 8 is simulated.
  package var status: Int
  package var time: Timestamp?
  package var latitude: Double?
  package var longitude: Double?
  /// Above mean sea level.
  package var altitude: Double?
  package var ellipsoidalAltitude: Double?
  package var speed: Double?
  /// True course over ground, degrees.
  package var track: Double?
  /// gpsd's error estimates as it sent them: horizontal, longitude, latitude, vertical, speed, direction.
  package var eph: Double?
  package var epx: Double?
  package var epy: Double?
  package var epv: Double?
  package var eps: Double?
  package var epd: Double?
  /// Magnetic declination, degrees, east positive.
  package var declination: Double?
  /// The receiver's own indicator of jamming, from 0 to 255; few receivers have one.
  package var jamming: Int?
  /// What it says of its antenna's line; few receivers do.
  package var antenna: Reception.Antenna?
  package var arrival: Instant

  package init(device: String? = nil, mode: Mode, status: Int = 0, time: Timestamp? = nil, arrival: Instant) {
    self.device = device
    self.mode = mode
    self.status = status
    self.time = time
    self.arrival = arrival
  }
}

// MARK: What follows from all its numbers

extension PositionReport {
  /// A number of the report, and what of it is possible.
  private struct Number: Sendable {
    let path: any WritableKeyPath<PositionReport, Double?> & Sendable
    /// `nil`: the value is impossible.
    let sound: @Sendable (Double) -> Double?

    init(_ path: any WritableKeyPath<PositionReport, Double?> & Sendable, in range: ClosedRange<Double>? = nil) {
      self.path = path
      self.sound = { value in value.isFinite && range?.contains(value) ?? true ? value : nil }
    }

    init(error path: any WritableKeyPath<PositionReport, Double?> & Sendable) {
      self.path = path
      self.sound = { $0.soundError }
    }
  }

  /// All numbers. Nothing on earth is faster than 20 km/s.
  private static let numbers = [
    Number(\.latitude), Number(\.longitude), Number(\.altitude), Number(\.ellipsoidalAltitude),
    Number(\.speed, in: 0...20_000), Number(\.track, in: 0...360), Number(error: \.eph), Number(error: \.epx),
    Number(error: \.epy), Number(error: \.epv), Number(\.eps), Number(\.epd), Number(\.declination),
  ]

  /// The report without impossible values: numbers that are not finite, a negative speed, a course out of range.
  package var sanitized: PositionReport {
    var sanitized = self
    for number in Self.numbers { sanitized[keyPath: number.path] = self[keyPath: number.path].flatMap(number.sound) }
    return sanitized
  }

  /// Merges a later report of the same moment: its values replace earlier ones, and what it lacks changes nothing.
  package mutating func merge(_ later: PositionReport) {
    if later.mode.rawValue > self.mode.rawValue { self.mode = later.mode }
    if later.status > 1 { self.status = later.status }
    self.time = self.time ?? later.time
    self.jamming = later.jamming ?? self.jamming
    self.antenna = later.antenna ?? self.antenna
    for number in Self.numbers { if let value = later[keyPath: number.path] { self[keyPath: number.path] = value } }
  }

  /// The fix that it reports, without errors, which depend on the receiver.
  package func fix(time: Timestamp?) -> Fix? {
    guard let latitude, let longitude else { return nil }
    return Fix(
      latitude: latitude, longitude: longitude, altitude: self.altitude, ellipsoidalAltitude: self.ellipsoidalAltitude,
      speed: self.speed, course: self.track, time: time, arrival: self.arrival,
      mode: self.mode == .threeDimensional ? .threeDimensional : .twoDimensional, status: Fix.Status(gpsd: self.status),
      device: self.device)
  }

  package var hasAltitude: Bool { self.altitude != nil || self.ellipsoidalAltitude != nil }

  /// Whether the report has a position.
  package var hasPosition: Bool {
    guard self.mode != .noFix, self.mode != .unknown, let latitude, let longitude else { return false }
    return (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }
}

extension ErrorEstimateReport {
  /// The report without impossible values.
  package var sanitized: ErrorEstimateReport {
    var sanitized = self
    sanitized.latitude = self.latitude.flatMap(\.soundError)
    sanitized.longitude = self.longitude.flatMap(\.soundError)
    sanitized.altitude = self.altitude.flatMap(\.soundError)
    return sanitized
  }
}

extension Double {
  /// An error in metres; `nil`: not finite.
  ///
  /// An error of 0 is none: receivers report it if they have none. They report millimetres, so a smaller value is no error
  /// either, and computing with it would overflow. One larger than the earth is limited to that: the receiver does not know
  /// its error.
  fileprivate var soundError: Double? {
    guard self.isFinite else { return nil }
    return self < 0.001 ? 0 : min(self, 1_000_000_000)
  }
}
