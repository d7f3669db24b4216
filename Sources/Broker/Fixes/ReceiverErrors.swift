import Positioning
import ReceiverPorts

/// What one receiver has reported about its errors in earlier epochs.
///
/// It determines how to read the errors of an epoch: whether `eph` is a product of the HDOP, and which standard
/// deviations to use if the epoch's own come too late.
struct ReceiverErrors: Sendable {
  /// For so long, or so many cycles, an earlier GST is as good as the epoch's own.
  static let carried: Duration = .seconds(10)
  static let carriedCycles = 10
  /// After so many epochs without a GST, the receiver is taken for one that gives none any more.
  static let limit = 10
  /// How often in a row `eph` must be the product of the HDOP, or something else, before it is believed, for drivers
  /// with estimates.
  static let proof = 2
  static let disproof = 3
  /// An older HDOP is from another sky.
  static let dilutionLifetime: Duration = .seconds(5)

  /// The last standard deviations, and the values that came with them.
  private struct ReportedError: Sendable {
    var error: HorizontalError
    var dilution: Double?
    var status: Int
    var arrival: Instant
  }

  private var newestDilution: (value: Double, arrival: Instant)?
  private var matches = 0
  private var mismatches = 0
  /// Whether `eph` is a product of the HDOP, though the driver has estimates.
  private var isMadeOfDilution = false
  private var reported: ReportedError?
  private var epochsWithout = 0
  /// Whether a whole epoch has passed, so that it is known whether the receiver gives standard deviations.
  private(set) var hasFullEpoch = false

  /// A sky report of the receiver.
  mutating func received(_ sky: SkyReport) {
    if let hdop = sky.hdop, hdop > 0 { self.newestDilution = (hdop, sky.arrival) }
  }

  /// Another report with an `eph`, which shows from what it is computed.
  mutating func received(_ report: PositionReport, statistic: AccuracyTable.Statistic) {
    guard let eph = report.eph, eph > 0, let hdop = self.dilution(at: report.arrival) else { return }
    guard DilutionRule.isMade(eph, of: hdop, status: report.status, isExact: statistic != .dilution) else {
      self.matches = 0
      self.mismatches += 1
      if self.mismatches >= Self.disproof { self.isMadeOfDilution = false }
      return
    }
    self.mismatches = 0
    self.matches += 1
    if self.matches >= Self.proof { self.isMadeOfDilution = true }
  }

  /// The HDOP from which gpsd computed the report's `eph`; `nil` if it is an estimate.
  func dilution(madeInto report: PositionReport, statistic: AccuracyTable.Statistic) -> Double? {
    guard let eph = report.eph, eph > 0 else { return nil }
    let exact = DilutionRule.dilution(madeInto: eph, status: report.status)
    switch statistic {
    case .radius68, .rootMeanSquare, .nominal95:
      // An estimate must never be divided as if it were a product: the result would be too good.
      return self.isMadeOfDilution ? exact : nil
    case .dilution:
      if let exact { return exact }
      guard self.isMadeOfDilution, let hdop = self.dilution(at: report.arrival),
        DilutionRule.isMade(eph, of: hdop, status: report.status, isExact: false)
      else { return nil }
      return eph / DilutionRule.horizontal.factor(status: report.status)
    }
  }

  /// Standard deviations of the epoch.
  mutating func reported(_ error: HorizontalError, with report: PositionReport, dilution: Double?) {
    self.epochsWithout = 0
    self.reported = ReportedError(error: error, dilution: dilution, status: report.status, arrival: report.arrival)
  }

  /// The epoch is over.
  mutating func epochEnded(hadDeviations: Bool) {
    self.hasFullEpoch = true
    guard !hadDeviations else { return self.epochsWithout = 0 }
    self.epochsWithout += 1
    if self.epochsWithout >= Self.limit { self.reported = nil }
  }

  /// The error to use for an epoch without its own standard deviations: the earlier ones, scaled with the HDOP. They
  /// are not better than the report's own value if they are of another time or kind of fix.
  func carried(
    over own: HorizontalError?, to report: PositionReport, dilution: Double?, cycle: Duration
  ) -> HorizontalError? {
    guard let reported, own != .vague else { return own }
    var growth = 1.0
    if let dilution, let before = reported.dilution, before > 0 { growth = max(1, dilution / before) }
    let carried = reported.error.times(growth, .earlierDeviations)
    let isRecent = report.arrival - reported.arrival <= max(Self.carried, cycle * Self.carriedCycles)
    if isRecent, reported.status == report.status { return carried }
    guard let own, let ownRadius = own.radius68, let radius = carried.radius68 else { return carried }
    return ownRadius > radius ? own : carried
  }

  private func dilution(at moment: Instant) -> Double? {
    self.newestDilution.flatMap { moment - $0.arrival <= Self.dilutionLifetime ? $0.value : nil }
  }
}

/// What a receiver has reported about a fix's horizontal error.
enum HorizontalError: Hashable, Sendable {
  /// The radii of 68 % and 95 %, in metres, by the formula of their source.
  case radii(_ radius68: Double, _ radius95: Double, AccuracySource)
  /// The receiver reports that it does not know its error. Then none may be assumed, as it may be if nothing is reported.
  case vague

  /// A round error with a known 68 % radius.
  static func round(_ radius68: Double, _ source: AccuracySource) -> HorizontalError {
    .radii(radius68, radius68 / Fix.ratio68To95, source)
  }

  var radius68: Double? {
    switch self {
    case .radii(let radius, _, _): radius
    case .vague: nil
    }
  }

  var source: AccuracySource {
    switch self {
    case .radii(_, _, let source): source
    case .vague: .vague
    }
  }

  /// This error multiplied by a factor, with another source.
  func times(_ factor: Double, _ source: AccuracySource) -> HorizontalError {
    switch self {
    case .radii(let radius68, let radius95, _): .radii(radius68 * factor, radius95 * factor, source)
    case .vague: .vague
    }
  }
}

extension Fix {
  /// Sets the horizontal error.
  mutating func setError(_ error: HorizontalError) {
    self.accuracySource = error.source
    switch error {
    case .radii(let radius68, let radius95, _):
      self.horizontalAccuracy = radius68
      self.horizontalAccuracy95 = radius95
    case .vague:
      self.horizontalAccuracy = nil
      self.horizontalAccuracy95 = nil
    }
  }
}
