import Positioning
import ReceiverPorts

/// The daemon's status.
extension BrokerParts {
  /// As far as the client may know: only administrators see whose demands the others are.
  func status(for client: ClientID, now: Instant) -> DaemonStatus {
    self.shown(self.status(now: now), to: self.statusViewer(client), now: now)
  }

  /// The subscriptions with the same status.
  private struct StatusViewer: Hashable {
    /// The user whose demands they see; `nil`: all.
    let user: UInt32?
    let feed: FixFeedKey?
  }

  private func statusViewer(_ id: ClientID) -> StatusViewer {
    let client = self.clients[id]
    let seesAll = client?.access.isAdministrator ?? false
    let feed = self.feed(of: .client(id))
    return StatusViewer(
      user: seesAll ? nil : client?.principal.uid ?? .max, feed: feed?.precision == .precise ? feed : nil)
  }

  /// Without the parts that not everybody may know.
  private func status(now: Instant) -> DaemonStatus {
    let (receiver, device) = (self.receiver, self.receiver.device)
    return DaemonStatus(
      version: Release.version, began: self.began,
      receiver: DaemonStatus.Receiver(
        device: device?.path, driver: device?.driver, availability: receiver.availability,
        since: receiver.availabilitySince, problem: receiver.problem, lag: receiver.lag),
      power: DaemonStatus.Power(
        current: receiver.power, onTime: self.demand.onTime(now: now),
        dutyCycle: DaemonStatus.DutyCycle(
          hour: self.demand.dutyCycle(over: .seconds(3600), now: now),
          day: self.demand.dutyCycle(over: .seconds(86400), now: now)),
        starts: DaemonStatus.Starts(total: self.demand.starts), periods: self.demand.lastPeriods,
        nextStart: self.demand.nextWake.map { self.nextStart($0) }, timeToFirstFix: self.demand.startTimes),
      gpsd: DaemonStatus.Gpsd(
        state: receiver.source.state, detail: receiver.source.detail, version: receiver.gpsdVersion,
        address: self.settings.gpsdAddress, reconnects: receiver.reconnects),
      demand: self.mergedDemand(now: now).map { DaemonStatus.Demands($0, omitted: self.demandCount(now: now)) },
      inUse: Array(self.usage.inUse.prefix(DaemonStatus.maximumInUse)),
      reports: DaemonStatus.Reports(
        received: receiver.counts.reports, fixes: receiver.counts.fixes, rejected: receiver.counts.rejections),
      lastError: self.lastError, clients: self.clients.count, requests: self.calls.count,
      subscriptions: self.subscriptions.count)
  }

  /// The store's comes first: gpsd's state has a detail of its own.
  private var lastError: DaemonStatus.LastError? { self.commits.lastError ?? self.receiver.lastError }

  private func nextStart(_ wake: ReceiverWake) -> DaemonStatus.NextStart {
    DaemonStatus.NextStart(
      at: wake.at, reason: wake.reason, due: wake.due, what: wake.due.flatMap { self.method(dueAt: $0) })
  }

  private func shown(_ whole: DaemonStatus, to viewer: StatusViewer, now: Instant) -> DaemonStatus {
    var status = whole
    if var demand = whole.demand {
      demand.clients = self.shownDemands(of: viewer.user, decisiveFor: demand.merged, now: now)
      demand.omitted = max(demand.omitted - demand.clients.count, 0)
      status.demand = demand
    }
    if viewer.feed != nil {
      status.lastFix = self.feeds.current(in: viewer.feed).map { fix in
        DaemonStatus.LastFix(
          arrival: fix.ageBegin, level: fix.achievedAccuracy(at: now), accuracySource: fix.accuracySource)
      }
    }
    return status
  }

  /// The diagnostics for the holders of a feed.
  ///
  /// - Parameter fix: The newest fix of the feed.
  func diagnostics(in feed: FixFeedKey, newest fix: Fix?, maximumAge: Duration, now: Instant) -> Diagnostics {
    var diagnostics = Diagnostics(
      availability: self.availability(in: feed, maximumAge: maximumAge, now: now), lastFixAge: fix?.age(at: now),
      power: self.receiver.power.state)
    if feed.precision == .precise { self.receiver.complete(&diagnostics, fix: fix, now: now) }
    return diagnostics
  }

  /// Notifies subscriptions of changes of the status, a few in each turn.
  mutating func reportStatus(_ turn: inout Turn) {
    guard self.subscriptions.hasAny(on: .status) else {
      return self.status.rest()
    }
    guard self.status.check(now: turn.now) else { return }
    if self.status.update(to: self.fingerprint(now: turn.now), now: turn.now) {
      self.status.begin(self.subscriptions.ids(on: .status))
    }
    let status = self.status(now: turn.now)
    let revision = self.status.revision
    // A status for several subscribers is made once.
    var shown: [StatusViewer: DaemonStatus] = [:]
    for id in self.status.next() {
      guard case .status(var subscription) = self.subscriptions[id], let client = id.holder.client else { continue }
      let changed = self.status.parts(since: subscription.seen)
      guard !changed.isEmpty else { continue }
      let viewer = self.statusViewer(client)
      let own = shown[viewer] ?? self.shown(status, to: viewer, now: turn.now)
      shown[viewer] = own
      subscription.notified(revision)
      self.subscriptions.update(.status(subscription))
      turn.notify(client, .status(id, own, changed))
    }
  }

  private func fingerprint(now: Instant) -> StatusFingerprint {
    StatusFingerprint(
      receiver: self.receiver.device, availability: self.receiver.availability, problem: self.receiver.problem,
      power: self.receiver.power,
      source: self.receiver.source, gpsdVersion: self.receiver.gpsdVersion, reconnects: self.receiver.reconnects,
      demands: self.demandFingerprint(now: now), lastError: self.lastError, clients: self.clients.count,
      requests: self.calls.count, subscriptions: self.subscriptions.count, inUse: self.usage.revision)
  }
}
