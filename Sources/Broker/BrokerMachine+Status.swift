import Positioning

/// What the daemon tells about itself.
extension BrokerMachine {
  func status(now: Instant) -> Status {
    let demands = self.demands
    let merged = Demand.merged(demands.lazy.map(\.demand))
    // Those who decide come first, so that the answer to "who keeps the receiver on?" is there however many ask.
    let blamed = merged.map { merged in demands.map { $0.blamed(for: merged) } } ?? []
    let told = (blamed.filter(\.isToBlame) + blamed.filter { !$0.isToBlame }).prefix(Status.maximumDemands)
    return Status(
      receiver: self.receiver, availability: self.availability, availabilitySince: self.availabilitySince,
      detail: self.source.words, source: self.source, power: self.power, onTime: self.ledger.onTime(now: now),
      dutyCycleHour: self.ledger.dutyCycle(over: .seconds(3600), now: now),
      dutyCycleDay: self.ledger.dutyCycle(over: .seconds(86400), now: now), starts: self.ledger.starts,
      demand: merged, inUse: [],
      demands: Array(told), demandsOmitted: demands.count - told.count,
      lastFixAge: self.current?.age(at: now), lastFixLevel: self.current?.achievedAccuracy(at: now),
      lastError: self.lastError, clients: self.clients.count, requests: self.requestCount,
      subscriptions: self.subscriptionCount,
      rejections: self.counts.rejections, reports: self.counts.reports, fixes: self.counts.fixes,
      gpsdVersion: self.gpsdVersion, reconnects: self.reconnects)
  }

  func diagnostics(maximumAge: Duration, now: Instant) -> Diagnostics {
    let sky = self.skyView.sky.flatMap { now - $0.arrival <= SkyView.lifetime ? $0 : nil }
    return Diagnostics(
      availability: self.facts.availability(maximumAge: maximumAge, now: now),
      mode: self.filter.hasFix ? self.current?.mode : nil, satellitesSeen: sky?.satellites.count,
      satellitesUsed: sky?.satellitesUsed, lastFixAge: self.current?.age(at: now), receiver: self.receiver?.path,
      power: self.power.state, detail: self.source.words)
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
    for (id, changed) in changes { actions.append(.notify(id.client, .status(id, status, changed))) }
  }

  var fingerprint: StatusFingerprint {
    StatusFingerprint(
      receiver: self.receiver, availability: self.availability, power: self.power, source: self.source,
      gpsdVersion: self.gpsdVersion, reconnects: self.reconnects, demands: self.demands, lastError: self.lastError,
      clients: self.clients.count, requests: self.requestCount, subscriptions: self.subscriptionCount, inUse: [])
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
    for subscription in self.skies.all { add(subscription.id.client, "sky.subscribe", subscription.demand) }
    let look = Demand(accuracy: AccuracyLevel.block.meters, interval: .seconds(1), activity: .other)
    if self.needs.isNeeded(by: .visits) {
      for visits in self.visits.all { add(visits.id.client, "visit.subscribe", look) }
    }
    if self.needs.isNeeded(by: .regions) {
      for (client, _) in self.clients.filter({ $0.value.regions > 0 }).sorted(by: { $0.key < $1.key }) {
        add(client, "region.add", look)
      }
      for name in self.names.all where name.regions > 0 { add(name.holder, "region.add", look) }
    }
    for subscription in self.headings.all { add(subscription.id.client, "heading.subscribe", subscription.demand) }
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
