import Positioning

/// What the daemon tells about itself.
extension BrokerMachine {
  /// As far as the client may know: whose demands others' are, administrators alone.
  func status(for client: ClientID, now: Instant) -> Status {
    self.shown(self.status(now: now), to: client, now: now)
  }

  private func status(now: Instant) -> Status {
    let demands = self.demands
    let merged = Demand.merged(demands.lazy.map(\.demand))
    return Status(
      receiver: self.receiver, availability: self.availability, availabilitySince: self.availabilitySince,
      detail: self.source.words, source: self.source, power: self.power, onTime: self.ledger.onTime(now: now),
      dutyCycleHour: self.ledger.dutyCycle(over: .seconds(3600), now: now),
      dutyCycleDay: self.ledger.dutyCycle(over: .seconds(86400), now: now), starts: self.ledger.starts,
      demand: merged, inUse: self.usage.inUse,
      demands: merged.map { merged in demands.map { $0.blamed(for: merged) } } ?? [], demandsOmitted: 0,
      lastFixAge: nil, lastFixLevel: nil,
      lastError: self.lastError, clients: self.clients.count, requests: self.requestCount,
      subscriptions: self.subscriptionCount,
      rejections: self.counts.rejections, reports: self.counts.reports, fixes: self.counts.fixes,
      gpsdVersion: self.gpsdVersion, reconnects: self.reconnects)
  }

  private func shown(_ whole: Status, to id: ClientID, now: Instant) -> Status {
    let client = self.clients[id]
    var status = whole
    let visible = whole.demands.filter {
      client?.access.isAdministrator ?? false || $0.principal.uid == client?.principal.uid
    }
    // Those who decide come first, so that the answer to "who keeps the receiver on?" is there however many ask.
    status.demands = Array(
      (visible.filter(\.isToBlame) + visible.filter { !$0.isToBlame }).prefix(Status.maximumDemands))
    status.demandsOmitted = whole.demands.count - status.demands.count
    if self.isPrecise(id) {
      let fix = self.views[self.view(of: id)].current
      status.lastFixAge = fix?.age(at: now)
      status.lastFixLevel = fix?.achievedAccuracy(at: now)
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

  /// Tells those who subscribed to the status what changed; at once those who have not been told anything.
  mutating func tellStatus(now: Instant, into actions: inout [Action]) {
    guard !self.statuses.isEmpty else { return self.setDeadline(nil, for: .status) }
    let due = self.statusChecked.map { $0 + Self.statusInterval } ?? now
    let isDue = now >= due
    self.setDeadline(isDue ? nil : due, for: .status)
    guard isDue || self.statuses.contains(where: { $0.updates == 0 }) else { return }
    if isDue { self.statusChecked = now }
    let fingerprint = self.fingerprint
    var changes: [(SubscriptionID, [StatusPart])] = []
    self.statuses.forEach { subscription in
      guard isDue || subscription.updates == 0 else { return }
      let changed = subscription.changed(to: fingerprint)
      if !changed.isEmpty { changes.append((subscription.id, changed)) }
    }
    guard !changes.isEmpty else { return }
    let status = self.status(now: now)
    for (id, changed) in changes {
      actions.append(.notify(id.client, .status(id, self.shown(status, to: id.client, now: now), changed)))
    }
  }

  var fingerprint: StatusFingerprint {
    StatusFingerprint(
      receiver: self.receiver, availability: self.availability, power: self.power, source: self.source,
      gpsdVersion: self.gpsdVersion, reconnects: self.reconnects, demands: self.demands, lastError: self.lastError,
      clients: self.clients.count, requests: self.requestCount, subscriptions: self.subscriptionCount,
      inUse: self.usage.inUse)
  }

  /// The receiver that is believed, as gpsd describes it.
  private var receiver: ReceiverDevice? {
    let path = self.settings.fixes.device ?? self.current?.device
    return self.devices.first { $0.path == path } ?? self.devices.first
  }

  /// Everything that is asked of the receiver, and by whom.
  var demands: [Status.ClientDemand] {
    var demands: [Status.ClientDemand] = []
    func add(_ holder: ClientID, _ what: String, _ demand: Demand?) {
      guard let demand, let principal = self.principal(of: holder) else { return }
      demands.append(Status.ClientDemand(principal: principal, what: what, demand: demand, isToBlame: false))
    }
    for request in self.requests.all { add(request.call.client, "position.get", request.demand) }
    for request in self.headingRequests.all { add(request.call.client, "heading.get", request.demand) }
    for subscription in self.positions.all { add(subscription.id.client, "position.subscribe", subscription.demand) }
    for subscription in self.skies.all where self.isPrecise(subscription.id.client) {
      add(subscription.id.client, "sky.subscribe", subscription.demand)
    }
    let look = Demand(accuracy: AccuracyLevel.block.meters, interval: .seconds(1), activity: .other)
    if self.needs.isNeeded(by: .visits) {
      for visits in self.visits.all where self.isPrecise(visits.id.client) {
        add(visits.id.client, "visit.subscribe", look)
      }
    }
    let looking = self.views.keys.filter { self.needs.isNeeded(by: .regions($0)) }
    if !looking.isEmpty {
      for (client, state) in self.clients.sorted(by: { $0.key < $1.key })
      where state.regions > 0 && looking.contains(where: { $0 == state.access.view }) {
        add(client, "region.add", look)
      }
      for name in self.names.all where name.regions > 0 && looking.contains(where: { $0 == name.view }) {
        add(name.holder, "region.add", look)
      }
    }
    for subscription in self.headings.all where self.isPrecise(subscription.id.client) {
      add(subscription.id.client, "heading.subscribe", subscription.demand)
    }
    return demands
  }

  /// Who a client is, or whose a durable name is, called by it.
  private func principal(of holder: ClientID) -> Principal? {
    if let client = self.clients[holder] { return client.principal }
    guard let id = self.holders[holder], let name = self.names[id] else { return nil }
    return Principal(uid: id.uid, user: name.user, name: id.name)
  }
}

extension Status.ClientDemand {
  fileprivate func blamed(for merged: Demand) -> Status.ClientDemand {
    var blamed = self
    blamed.isToBlame = self.demand.isToBlame(for: merged)
    return blamed
  }
}
