import Positioning
import ReceiverPorts

/// The newest whole sky of the chosen receiver.
///
/// gpsd sends skies in pieces. Some reports have only dilutions of precision, before or after the satellites: recent
/// pieces of one receiver are joined; older ones say nothing about the present sky. And within one cycle there are
/// several reports of satellites, the first without some constellations: the fullest one counts. It is known at once if
/// it has as many satellites as that of the cycle before, else when the cycle is over.
struct SkyView: Hashable, Sendable {
  /// The sky of one cycle.
  struct Cycle: Hashable, Sendable {
    /// Rises with every cycle.
    let number: Int
    /// When its first satellites arrived.
    let began: Instant
    /// The fullest so far.
    var sky: Sky
    /// Whether it was shown; a fuller one still replaces it.
    var isShown = false

    var end: Instant { self.began + SkyView.cycleLimit }
  }

  /// Older pieces and skies say nothing about a fix.
  static let lifetime: Duration = .seconds(5)
  /// A cycle is over at the latest after this time. Even a slow link brings its satellites sooner.
  static let cycleLimit: Duration = .seconds(1)

  /// The satellites of the newest whole cycle with their dilutions, as far as known; `arrival` is the satellites'.
  private(set) var sky: Sky?
  private var cycle: Cycle?
  private var cycles = 0
  private var dilutions: SkyReport?

  /// When to call `deadlineReached`; `nil`: not at all.
  var nextDeadline: Instant? { self.cycle.flatMap { $0.isShown ? nil : $0.end } }

  /// Returns what the report, or the end of the cycle before it, shows: whole skies, and one that is fuller than the one
  /// that was shown for its cycle.
  mutating func received(_ report: SkyReport) -> [Cycle] {
    let dilutions = self.joinedDilutions(report)
    self.dilutions = dilutions
    guard let satellites = report.satellites else {
      self.cycle?.sky.complete(with: dilutions)
      self.sky?.complete(with: dilutions)
      return []
    }
    var shown: [Cycle] = []
    if let cycle, cycle.sky.device != report.device || report.arrival >= cycle.end { shown += self.endCycle() }
    var sky = Sky(satellites: satellites, arrival: report.arrival, device: report.device)
    sky.complete(with: dilutions)
    guard var cycle = self.cycle else {
      self.cycles += 1
      self.cycle = Cycle(number: self.cycles, began: report.arrival, sky: sky)
      return shown + (self.isWhole(sky) ? self.show() : [])
    }
    // What has fewer satellites is a part of what was reported before.
    guard satellites.count >= cycle.sky.satellites.count else { return shown }
    let isFuller = satellites.count > cycle.sky.satellites.count
    cycle.sky = sky
    self.cycle = cycle
    guard cycle.isShown else { return shown + (self.isWhole(sky) ? self.show() : []) }
    self.sky = sky
    return shown + (isFuller ? self.show() : [])
  }

  /// The device's next epoch begins, so the sky of the cycle before is whole.
  mutating func epochBegan(of device: String?) -> [Cycle] { self.cycle?.sky.device == device ? self.endCycle() : [] }

  mutating func deadlineReached(now: Instant) -> [Cycle] {
    guard let deadline = self.nextDeadline, now >= deadline else { return [] }
    return self.endCycle()
  }

  /// The session with the receiver has ended, and with it the cycle.
  mutating func sessionEnded() { _ = self.endCycle() }

  /// How many satellites a fix of that moment uses.
  func satellitesUsed(device: String?, at now: Instant) -> Int? {
    guard let sky, sky.device == device, now - sky.arrival <= SkyView.lifetime else { return nil }
    return sky.satellitesUsed
  }

  private mutating func endCycle() -> [Cycle] {
    defer { self.cycle = nil }
    return self.cycle?.isShown == false ? self.show() : []
  }

  private mutating func show() -> [Cycle] {
    guard var cycle = self.cycle else { return [] }
    cycle.isShown = true
    self.cycle = cycle
    self.sky = cycle.sky
    return [cycle]
  }

  /// Whether a cycle's sky has all satellites that the one before had.
  private func isWhole(_ sky: Sky) -> Bool {
    guard let before = self.sky, before.device == sky.device, sky.arrival - before.arrival <= Self.lifetime else {
      return false
    }
    return sky.satellites.count >= before.satellites.count
  }

  /// The report's dilutions; a missing one is taken from a recent piece.
  private func joinedDilutions(_ report: SkyReport) -> SkyReport {
    guard let previous = self.dilutions, previous.device == report.device,
      report.arrival - previous.arrival <= Self.lifetime
    else { return report }
    var joined = report
    joined.hdop = report.hdop ?? previous.hdop
    joined.vdop = report.vdop ?? previous.vdop
    joined.pdop = report.pdop ?? previous.pdop
    return joined
  }
}

extension Sky {
  /// Sets the dilutions of the same receiver, unless the satellites are too old for them.
  fileprivate mutating func complete(with dilutions: SkyReport) {
    guard self.device == dilutions.device, dilutions.arrival - self.arrival <= SkyView.lifetime else { return }
    self.hdop = dilutions.hdop
    self.vdop = dilutions.vdop
    self.pdop = dilutions.pdop
  }
}
