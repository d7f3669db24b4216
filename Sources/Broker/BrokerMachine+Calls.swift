import Positioning

/// What clients ask, and how it is answered.
extension BrokerMachine {
  /// - Parameters:
  ///   - began: when the client asked, where that was before a person's answer.
  ///   - mayAsk: whether a person may be asked for what the client lacks.
  mutating func perform(
    _ what: Call, as call: CallID, since began: Instant? = nil, mayAsk: Bool = true, now: Instant,
    into actions: inout [Action]
  ) {
    // A client that left gets no answer, and whatever it asked for is nobody's need.
    guard self.clients[call.client] != nil else { return }
    guard !self.isStopping else { return actions.append(.answer(call, .failed(.shuttingDown))) }
    if let failure = self.shortfall(of: call, for: what) {
      return self.refuse(what, as: call, because: failure, mayAsk: mayAsk, now: now, into: &actions)
    }
    if what.changesWhatLasts, let storeTrouble {
      return actions.append(.answer(call, .failed(.notStored(storeTrouble))))
    }
    switch what {
    case .getFix(let request):
      let isDelayed = request.delaysUntilAuthorized
      self.getFix(request, as: call, began: isDelayed ? now : began ?? now, now: now, into: &actions)
    case .lastFix:
      actions.append(.answer(call, .lastFix(self.lastFix(of: call.client, now: now))))
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
      self.removeRegion(id: id, durable: durable, as: call, now: now, into: &actions)
    case .regionState(let id, let durable):
      self.regionState(id: id, durable: durable, as: call, now: now, into: &actions)
    case .listRegions(let durable, let after):
      self.listRegions(durable: durable, after: after, as: call, now: now, into: &actions)
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
      self.getHeading(request, as: call, began: began ?? now, now: now, into: &actions)
    case .subscribeHeading(let parameters):
      self.subscribeHeading(parameters, as: call, now: now, into: &actions)
    case .status:
      actions.append(.answer(call, .status(self.status(for: call.client, now: now))))
    case .authorization:
      self.answerAuthorization(as: call, into: &actions)
    case .requestAuthorization(let wish):
      self.requestAuthorization(wish, as: call, mayAsk: mayAsk, now: now, into: &actions)
    case .registerAgent:
      self.registerAgent(as: call, now: now, into: &actions)
    case .listClients:
      actions.append(.answer(call, .clients(self.clientInfos)))
    case .listGrants:
      actions.append(.answer(call, .grants(self.permissions.grants)))
    case .grant(let uid, let user, let level, let precision):
      self.grant(uid: uid, user: user, level, precision, as: call, now: now, into: &actions)
    case .revoke(let uid):
      self.revoke(uid: uid, as: call, now: now, into: &actions)
    case .setEnabled(let isOn):
      self.setEnabled(isOn, as: call, now: now, into: &actions)
    case .subscribeStatus:
      self.subscribeStatus(as: call, now: now, into: &actions)
    }
  }
}
