import Positioning
import ReceiverPorts

/// What the daemon tells about itself.
extension BrokerMachine {
  /// As far as the client may know: whose demands others' are, administrators alone.
  func status(for client: ClientID, now: Instant) -> Status {
    self.shown(self.status(now: now), to: self.statusViewer(client), now: now)
  }

  /// Those who see the same of the status.
  private struct StatusViewer: Hashable {
    /// Whose demands it sees; `nil`: everybody's.
    let user: UInt32?
    let view: FixViewKey?
  }

  private func statusViewer(_ id: ClientID) -> StatusViewer {
    let client = self.clients[id]
    let seesAll = client?.access.isAdministrator ?? false
    let view = self.view(of: id)
    return StatusViewer(
      user: seesAll ? nil : client?.principal.uid ?? .max, view: view?.precision == .precise ? view : nil)
  }

  /// Without what not everybody may know.
  private func status(now: Instant) -> Status {
    Status(
      receiver: self.receiver, availability: self.availability, availabilitySince: self.availabilitySince,
      detail: self.source.words, source: self.source, power: self.power, onTime: self.ledger.onTime(now: now),
      dutyCycleHour: self.ledger.dutyCycle(over: .seconds(3600), now: now),
      dutyCycleDay: self.ledger.dutyCycle(over: .seconds(86400), now: now), starts: self.ledger.starts,
      demand: self.mergedDemand, inUse: self.usage.inUse, demands: [], demandsOmitted: self.demandCount,
      lastFixAge: nil, lastFixLevel: nil,
      lastError: self.lastError, clients: self.clients.count, requests: self.requestCount,
      subscriptions: self.subscriptionCount,
      rejections: self.counts.rejections, reports: self.counts.reports, fixes: self.counts.fixes,
      gpsdVersion: self.gpsdVersion, reconnects: self.reconnects)
  }

  private func shown(_ whole: Status, to viewer: StatusViewer, now: Instant) -> Status {
    var status = whole
    status.demands = whole.demand.map { self.shownDemands(of: viewer.user, decisiveFor: $0) } ?? []
    status.demandsOmitted = max(whole.demandsOmitted - status.demands.count, 0)
    if viewer.view != nil {
      let fix = self.views[viewer.view].current
      status.lastFixAge = fix?.age(at: now)
      status.lastFixLevel = fix?.achievedAccuracy(at: now)
      status.lastFixAccuracySource = fix?.accuracySource
    }
    return status
  }

  /// What stands between those who see the view and a better answer.
  func diagnostics(in view: FixViewKey, maximumAge: Duration, now: Instant) -> Diagnostics {
    let fix = self.views[view].current
    var diagnostics = Diagnostics(
      availability: self.availability(in: view, maximumAge: maximumAge, now: now), lastFixAge: fix?.age(at: now),
      power: self.power.state)
    guard view.precision == .precise else { return diagnostics }
    let sky = self.skyView.sky.flatMap { now - $0.arrival <= SkyView.lifetime ? $0 : nil }
    diagnostics.mode = self.filter.hasFix ? fix?.mode : nil
    diagnostics.satellitesSeen = sky?.satellites.count
    diagnostics.satellitesUsed = sky?.satellitesUsed
    diagnostics.receiver = self.receiver?.path
    diagnostics.detail = self.source.words
    return diagnostics
  }

  /// Changes that follow each other faster are told together: a client that asks for something and cancels it a
  /// thousand times a second must not drown those who watch.
  static let statusInterval: Duration = .milliseconds(250)

  /// Tells those who subscribed to the status what changed, a few in each turn; first those who were told nothing yet.
  mutating func tellStatus(_ turn: inout Turn) {
    guard !self.statuses.isEmpty else {
      self.statusRounds = StatusRounds()
      return self.setDeadline(nil, for: .status)
    }
    let due = self.statusChecked.map { $0 + Self.statusInterval } ?? turn.now
    let isDue = turn.now >= due && self.statusRounds.isRoundOver
    self.setDeadline(isDue ? nil : due, for: .status)
    guard isDue || !self.statusRounds.isOver else { return }
    self.statusBoard.update(to: self.fingerprint)
    if isDue {
      self.statusChecked = turn.now
      let revision = self.statusBoard.revision
      if self.statusRounds.isRoundDue(revision) { self.statusRounds.begin(revision, self.statuses.keys) }
    }
    let status = self.status(now: turn.now)
    // What is the same for several is made once.
    var shown: [StatusViewer: Status] = [:]
    for id in self.statusRounds.next() {
      guard let subscription = self.statuses[id] else { continue }
      let changed = self.statusBoard.parts(since: subscription.seen)
      guard !changed.isEmpty else { continue }
      let viewer = self.statusViewer(id.client)
      let own = shown[viewer] ?? self.shown(status, to: viewer, now: turn.now)
      shown[viewer] = own
      let revision = self.statusBoard.revision
      self.statuses.modify(id) { $0.told(revision) }
      turn.notify(id.client, .status(id, own, changed))
    }
  }

  private var fingerprint: StatusFingerprint {
    StatusFingerprint(
      receiver: self.receiver, availability: self.availability, power: self.power, source: self.source,
      gpsdVersion: self.gpsdVersion, reconnects: self.reconnects, demands: self.demandFingerprint,
      lastError: self.lastError, clients: self.clients.count, requests: self.requestCount,
      subscriptions: self.subscriptionCount, inUse: self.usage.revision)
  }

  /// The receiver that is believed, as gpsd describes it.
  private var receiver: ReceiverDevice? {
    let path = self.settings.fixes.device ?? self.current?.device
    return self.devices.first { $0.path == path } ?? self.devices.first
  }
}
