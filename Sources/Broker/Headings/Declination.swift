import Geodesy
import Positioning

/// The angle from true to magnetic north where the device is, in degrees, east positive: magnetic is true less this.
///
/// While the World Magnetic Model is valid it is the better source: gpsd tells a declination with each fix, but takes it
/// from a coarse table of the year of its release. Once the model is over gpsd's word counts, which is kept while the
/// device is near; without one the model is used as before, and that is said.
struct Declination: Hashable, Sendable {
  /// Metres and time within which it changes by less than compasses are wrong.
  static let reach = 50_000.0
  static let lifetime: Duration = .seconds(365 * 86400)
  /// So many years past the model's end a receiver's time is taken for a wrong one.
  static let patience = 10.0

  private struct Known: Hashable {
    /// `nil` where no compass works.
    let degrees: Double?
    let place: Coordinate
    let since: Instant
  }

  private let model: MagneticModel
  private var told: Known?
  private var modelled: Known?
  private var place: Coordinate?
  /// By the receiver's time, which is data: it may be wrong by decades.
  private var year: Double?
  /// Whether what the model said was said past its end.
  private(set) var isModelExpired = false

  init(model: MagneticModel = .wmm2025) {
    self.model = model
  }

  /// gpsd told it, with a position.
  mutating func reported(_ degrees: Double, at place: Coordinate, now: Instant) {
    self.told = Known(degrees: degrees, place: place, since: now)
  }

  /// The device has a fix.
  mutating func moved(to fix: Fix) {
    self.place = fix.coordinate
    self.year = fix.time.map { 1970 + $0.seconds / (365.2425 * 86400) } ?? self.year
  }

  /// `nil` where no place is known, and where no compass works.
  mutating func degrees(now: Instant) -> Double? {
    guard let place = self.place else { return nil }
    let year = self.plausibleYear
    let isExpired = !self.model.validity.contains(year)
    if isExpired, let told = self.told, Self.holds(told, at: place, now: now) { return told.degrees }
    self.isModelExpired = isExpired
    if let modelled = self.modelled, Self.holds(modelled, at: place, now: now) { return modelled.degrees }
    let degrees = self.model.field(at: place, year: year).declination
    self.modelled = Known(degrees: degrees, place: place, since: now)
    return degrees
  }

  /// A year before the model is a wrong clock's, as is one long after it; then the middle of its validity errs least.
  private var plausibleYear: Double {
    let validity = self.model.validity
    let plausible = validity.lowerBound..<validity.upperBound + Self.patience
    return self.year.flatMap { plausible.contains($0) ? $0 : nil } ?? (validity.lowerBound + validity.upperBound) / 2
  }

  private static func holds(_ known: Known, at place: Coordinate, now: Instant) -> Bool {
    now - known.since < Self.lifetime && Geodesy.distance(from: known.place, to: place) <= Self.reach
  }
}
