import Positioning

/// What clients ask, and how it is answered.
extension BrokerMachine {
  mutating func perform(_ what: Call, as call: CallID, now: Instant, into actions: inout [Action]) {
    // A client that left gets no answer, and whatever it asked for is nobody's need.
    guard self.clients[call.client] != nil else { return }
    guard !self.isStopping else { return actions.append(.answer(call, .failed(.shuttingDown))) }
    switch what {
    case .getFix(let request):
      self.getFix(request, as: call, now: now, into: &actions)
    case .lastFix:
      actions.append(.answer(call, .lastFix(self.lastFix(now: now))))
    case .subscribe(let parameters, durable: nil):
      self.subscribe(parameters, as: call, now: now, into: &actions)
    case .subscribe(let parameters, let durable?):
      self.subscribe(parameters, durable: durable, as: call, now: now, into: &actions)
    case .updateSubscription(let number, let change):
      self.update(number: number, change, as: call, now: now, into: &actions)
    case .cancelSubscription(let number):
      self.cancelSubscription(number: number, as: call, now: now, into: &actions)
    case .steerSubscription(let number, let order):
      self.steer(number: number, order, as: call, now: now, into: &actions)
    case .steerDurable(let name, let order):
      self.steer(name: name, order, as: call, now: now, into: &actions)
    case .subscribeVisits(let durable):
      self.subscribeVisits(durable: durable, as: call, now: now, into: &actions)
    case .addRegion(let region, let durable):
      self.addRegion(region, durable: durable, as: call, now: now, into: &actions)
    case .removeRegion(let id, let durable):
      self.removeRegion(id: id, durable: durable, as: call, into: &actions)
    case .regionState(let id, let durable):
      self.regionState(id: id, durable: durable, as: call, into: &actions)
    case .listRegions(let durable):
      self.listRegions(durable: durable, as: call, now: now, into: &actions)
    case .attachDurable(let name, let sinceEvent):
      self.attach(name: name, sinceEvent: sinceEvent, as: call, now: now, into: &actions)
    case .acknowledgeDurable(let name, let event):
      self.acknowledge(name: name, event: event, as: call, now: now, into: &actions)
    case .listDurables:
      self.listDurables(as: call, now: now, into: &actions)
    case .removeDurable(let name):
      self.removeDurable(name: name, as: call, now: now, into: &actions)
    case .listSubscriptions:
      actions.append(.answer(call, .subscriptions(self.subscriptions(of: call.client))))
    case .completeRequest(let target):
      self.complete(target, as: call, now: now, into: &actions)
    case .cancelRequest(let target):
      self.cancel(target, as: call, into: &actions)
    case .listRequests:
      actions.append(.answer(call, .requests(self.requests(of: call.client, now: now))))
    case .sky:
      actions.append(.answer(call, .sky(self.skyView.sky)))
    case .subscribeSky(let minInterval):
      guard let id = self.newSubscription(of: call, into: &actions) else { return }
      self.skies[id] = SkySubscription(id: id, minInterval: minInterval)
      self.needs.set(.now, for: .subscription(id))
      self.answerSubscribed(id, as: call, now: now, into: &actions)
    case .getHeading(let request):
      self.getHeading(request, as: call, now: now, into: &actions)
    case .subscribeHeading(let parameters):
      self.subscribeHeading(parameters, as: call, now: now, into: &actions)
    case .status:
      actions.append(.answer(call, .status(self.status(now: now))))
    case .authorization, .requestAuthorization, .registerAgent, .listClients, .listGrants, .grant, .revoke,
      .setEnabled:
      actions.append(.answer(call, .failed(.notDetermined(remedy: ""))))
    case .subscribeStatus:
      guard let id = self.newSubscription(of: call, into: &actions) else { return }
      self.statuses[id] = StatusSubscription(id: id)
      self.answerSubscribed(id, as: call, now: now, into: &actions)
    }
  }
}
