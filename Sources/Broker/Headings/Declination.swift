import Geodesy
import Positioning

/// The angle from true to magnetic north at the device's place, in degrees, east positive: magnetic is true less this.
///
/// While the World Magnetic Model is valid it is the better source: gpsd reports a declination with each fix, but takes
/// it from a coarse table of the year of its release. Once the model has expired gpsd's value is used, and kept while
/// the device stays near; without one the model is used on, and the log says so.
struct Declination: Hashable, Sendable {
  /// Metres and time within which it changes by less than the error of compasses.
  static let reach = 50_000.0
  static let lifetime: Duration = .seconds(365 * 86400)
  /// A receiver's time so many years after the model's end is considered wrong.
  static let tolerance = 10.0

  private struct KnownDeclination: Hashable {
    /// `nil` in a place where no compass works.
    let degrees: Double?
    let place: Coordinate
    let since: Instant
  }

  private let model: MagneticModel
  private var reported: KnownDeclination?
  private var modelled: KnownDeclination?
  private var place: Coordinate?
  /// By the receiver's time, which may be wrong by decades.
  private var year: Double?
  /// Whether the value was computed after the model's end.
  private(set) var isModelExpired = false

  init(model: MagneticModel = .wmm2025) {
    self.model = model
  }

  /// gpsd reported it, with a position.
  mutating func reported(_ degrees: Double, at place: Coordinate, now: Instant) {
    self.reported = KnownDeclination(degrees: degrees, place: place, since: now)
  }

  /// The device has a fix.
  mutating func moved(to fix: Fix) {
    self.place = fix.coordinate
    self.year = fix.time.map { 1970 + $0.seconds / (365.2425 * 86400) } ?? self.year
  }

  /// `nil` if no place is known, or no compass works there.
  mutating func degrees(now: Instant) -> Double? {
    guard let place = self.place else { return nil }
    let year = self.plausibleYear
    let isExpired = !self.model.validity.contains(year)
    if isExpired, let reported = self.reported, Self.holds(reported, at: place, now: now) { return reported.degrees }
    self.isModelExpired = isExpired
    if let modelled = self.modelled, Self.holds(modelled, at: place, now: now) { return modelled.degrees }
    let degrees = self.model.field(at: place, year: year).declination
    self.modelled = KnownDeclination(degrees: degrees, place: place, since: now)
    return degrees
  }

  /// A year before the model, or long after it, comes from a wrong clock; then the middle of its validity has the least
  /// error.
  private var plausibleYear: Double {
    let validity = self.model.validity
    let plausible = validity.lowerBound..<validity.upperBound + Self.tolerance
    return self.year.flatMap { plausible.contains($0) ? $0 : nil } ?? (validity.lowerBound + validity.upperBound) / 2
  }

  private static func holds(_ known: KnownDeclination, at place: Coordinate, now: Instant) -> Bool {
    now - known.since < Self.lifetime && Geodesy.distance(from: known.place, to: place) <= Self.reach
  }
}
