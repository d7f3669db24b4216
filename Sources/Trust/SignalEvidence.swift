import Positioning
import ReceiverPorts

/// The evidence `signal`: how strong the satellites are.
///
/// The signals of the sky come from many directions, with different strengths. Those of one transmitter come along one
/// path: they have one strength, unless it takes pains, and what dampens or drowns them does it to all alike. A tunnel or a
/// hand dampens each by another amount.
struct SignalEvidence: Hashable, Sendable {
  /// So few satellites may be alike by chance.
  private static let leastSatellites = 6
  /// Decibels between the strongest and the weakest that still are one strength.
  private static let sameStrength = 1.0
  /// Decibels between them that show a sky.
  private static let variedStrength = 6.0
  /// Decibels by which all rise or fall, and by which these changes differ at most.
  private static let commonChange = 8.0
  private static let sameChange = 3.0
  /// How old the sky may be with which the newest is compared.
  private static let suddenness: Duration = .milliseconds(3500)
  private static let confirmations = 5

  private struct Number: Hashable, Sendable {
    let constellation: Sky.Constellation
    let svid: Int
  }

  private struct Strengths: Hashable, Sendable {
    let arrival: Instant
    let values: [Number: Double]
  }

  private var recent: [Strengths] = []
  /// How many skies of one strength came in a row.
  private var alike = 0
  /// Whether the sky was varied in this session: no sky becomes alike by itself.
  private var wasVaried = false

  /// The session ended.
  mutating func interrupted() { self = SignalEvidence() }

  mutating func received(_ report: SkyReport) -> Finding {
    guard let satellites = report.satellites else { return .silent }
    let values = satellites.reduce(into: [Number: Double]()) { values, satellite in
      guard let snr = satellite.snr, snr > 0 else { return }
      values[Number(constellation: satellite.constellation, svid: satellite.svid)] = snr
    }
    guard values.count >= Self.leastSatellites, let least = values.values.min(), let most = values.values.max() else {
      self.alike = 0
      return .silent
    }
    let newest = Strengths(arrival: report.arrival, values: values)
    let change = self.isCommonChange(to: newest)
    self.recent.removeAll { newest.arrival - $0.arrival > Self.suddenness }
    self.recent.append(newest)
    if self.recent.count > 64 { self.recent.removeFirst() }
    if most - least >= Self.variedStrength { self.wasVaried = true }
    self.alike = most - least <= Self.sameStrength ? self.alike + 1 : 0
    if self.alike >= Self.confirmations { return self.wasVaried ? .strong : .weak }
    return change ? .weak : .silent
  }

  /// Whether all satellites became stronger or weaker together since one of the last skies.
  private func isCommonChange(to newest: Strengths) -> Bool {
    self.recent.contains { earlier in
      guard newest.arrival - earlier.arrival <= Self.suddenness else { return false }
      let changes = newest.values.compactMap { number, value in earlier.values[number].map { value - $0 } }
      guard changes.count >= Self.leastSatellites, changes.count * 4 >= earlier.values.count * 3,
        let least = changes.min(), let most = changes.max()
      else { return false }
      return most - least <= Self.sameChange && (least >= Self.commonChange || most <= -Self.commonChange)
    }
  }
}
