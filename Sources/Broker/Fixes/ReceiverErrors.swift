import Positioning
import ReceiverPorts

/// What one receiver has said of its errors, from epoch to epoch.
///
/// A figure of one epoch is read by what the receiver said before: whether its `eph` has shown itself to be an HDOP under
/// another name, and which standard deviations it gave, for epochs whose own come too late.
struct ReceiverErrors: Sendable {
  /// A GST is as good as this epoch's own for so long, or for so many cycles.
  static let carried: Duration = .seconds(10)
  static let carriedCycles = 10
  /// So many epochs in a row without one, and the receiver gives none any more.
  static let patience = 10
  /// So often in a row an `eph` must be the HDOP's product to be taken for it, and another to be not, where the driver
  /// knows estimates.
  static let proof = 2
  static let disproof = 3
  /// An HDOP older than this is another sky's.
  static let dilutionLifetime: Duration = .seconds(5)

  /// The standard deviations that the receiver gave last, and what else was told with them.
  private struct Said: Sendable {
    var error: HorizontalError
    var dilution: Double?
    var status: Int
    var arrival: Instant
  }

  private var newestDilution: (value: Double, arrival: Instant)?
  private var matches = 0
  private var mismatches = 0
  /// Whether `eph` was found to be made of the HDOP, though the driver knows estimates.
  private var isMadeOfDilution = false
  private var said: Said?
  private var epochsWithout = 0
  /// Whether a whole epoch of the receiver has passed, so that it is known whether it gives standard deviations.
  private(set) var isAcquainted = false

  /// The receiver told the sky.
  mutating func received(_ sky: SkyReport) {
    if let hdop = sky.hdop, hdop > 0 { self.newestDilution = (hdop, sky.arrival) }
  }

  /// Another report with an `eph`: it shows what that is made of.
  mutating func received(_ report: PositionReport, meaning: AccuracyTable.Meaning) {
    guard let eph = report.eph, eph > 0, let hdop = self.dilution(at: report.arrival) else { return }
    guard DilutionRule.isMade(eph, of: hdop, status: report.status, isExact: meaning != .dilution) else {
      self.matches = 0
      self.mismatches += 1
      if self.mismatches >= Self.disproof { self.isMadeOfDilution = false }
      return
    }
    self.mismatches = 0
    self.matches += 1
    if self.matches >= Self.proof { self.isMadeOfDilution = true }
  }

  /// The HDOP that gpsd made the report's `eph` of; `nil` where it is an estimate.
  func dilution(madeInto report: PositionReport, meaning: AccuracyTable.Meaning) -> Double? {
    guard let eph = report.eph, eph > 0 else { return nil }
    let exact = DilutionRule.dilution(madeInto: eph, status: report.status)
    switch meaning {
    case .radius68, .rootMeanSquare, .nominal95:
      // Whatever was found out before, an estimate must never be divided: it would come out finer than it is.
      return self.isMadeOfDilution ? exact : nil
    case .dilution:
      if let exact { return exact }
      guard self.isMadeOfDilution, let hdop = self.dilution(at: report.arrival),
        DilutionRule.isMade(eph, of: hdop, status: report.status, isExact: false)
      else { return nil }
      return eph / DilutionRule.horizontal.factor(status: report.status)
    }
  }

  /// Standard deviations of the epoch came.
  mutating func said(_ error: HorizontalError, with report: PositionReport, dilution: Double?) {
    self.epochsWithout = 0
    self.said = Said(error: error, dilution: dilution, status: report.status, arrival: report.arrival)
  }

  /// An epoch is over.
  mutating func epochEnded(hadDeviations: Bool) {
    self.isAcquainted = true
    guard !hadDeviations else { return self.epochsWithout = 0 }
    self.epochsWithout += 1
    if self.epochsWithout >= Self.patience { self.said = nil }
  }

  /// What is to be believed of an epoch whose standard deviations have not come: those before, grown with the HDOP. They
  /// are no finer than the report's own figure where they are of another time, or of another kind of fix.
  func carried(
    over own: HorizontalError?, to report: PositionReport, dilution: Double?, cycle: Duration
  ) -> HorizontalError? {
    guard let said, own != .vague else { return own }
    var growth = 1.0
    if let dilution, let before = said.dilution, before > 0 { growth = max(1, dilution / before) }
    let carried = said.error.times(growth, .earlierDeviations)
    let isRecent = report.arrival - said.arrival <= max(Self.carried, cycle * Self.carriedCycles)
    if isRecent, said.status == report.status { return carried }
    guard let own, let ownRadius = own.radius68, let radius = carried.radius68 else { return carried }
    return ownRadius > radius ? own : carried
  }

  private func dilution(at moment: Instant) -> Double? {
    self.newestDilution.flatMap { moment - $0.arrival <= Self.dilutionLifetime ? $0.value : nil }
  }
}
