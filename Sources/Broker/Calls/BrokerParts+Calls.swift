import Positioning

/// Calls of clients, and their answers.
extension BrokerParts {
  /// Handles a call and answers it, unless it waits.
  ///
  /// - Parameters:
  ///   - began: When the client called, if it then waited for a person's answer.
  ///   - mayAsk: Whether a person may be asked for the missing permission.
  mutating func perform(
    _ what: Call, as call: CallID, since began: Instant? = nil, mayAsk: Bool = true, _ turn: inout Turn
  ) {
    // A client that has left gets no answer, and its calls cause no need.
    guard self.clients.contains(call.client) else { return }
    let outer = turn.beginAnswer()
    do throws(CallFailure) {
      let reply = try self.handle(what, as: call, since: began, mayAsk: mayAsk, &turn)
      if what.isDemand(answeredBy: reply) { self.demand.demanded(now: turn.now) }
      switch reply {
      case .now(let answer): turn.reply(to: call, answer)
      case .afterCommit(let answer): turn.replyAfterCommit(to: call, answer)
      case .begun(let id): self.answer(call, with: id, isNew: true, &turn)
      case .changed(let id): self.answer(call, with: id, isNew: false, &turn)
      case .later: break
      }
    } catch {
      turn.reply(to: call, .failed(error))
    }
    turn.endAnswer(outer)
  }

  /// Plans the receiver first, because the answer has the resulting state and availability of the subscription.
  private mutating func answer(_ call: CallID, with id: SubscriptionID, isNew: Bool, _ turn: inout Turn) {
    turn.placeAnswer()
    self.plan(&turn)
    self.reportAvailability(besides: isNew ? id : nil, &turn)
    let availability = self.availability(of: id.holder)
    if isNew {
      self.subscriptions.modifyPosition(id) { position in position.begin(with: availability) }
    }
    guard let info = self.info(id) else { return }
    switch id.holder {
    case .durable(let name):
      turn.afterCommit(.answer(call, .durableSubscribed(name: name.name, info.state, info.availability)))
    case .client:
      turn.reply(to: call, isNew ? .subscribed(info) : .subscription(info))
      if isNew { self.deliverFirst(to: id, &turn) }
    }
    self.settle(id, &turn)
  }

  /// Whether nobody knows what is stored of that while the store is not open.
  private func isUnknown(_ subject: Call.StoredSubject?) -> Bool {
    switch subject {
    case .names: true
    // The file beside the database has a copy.
    case .decisions: self.permissions.unread != nil
    case nil: false
    }
  }

  private mutating func handle(
    _ what: Call, as call: CallID, since began: Instant?, mayAsk: Bool, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard !self.isStopping else { throw .shuttingDown }
    if let denial = self.denial(of: call, for: what) {
      return try self.ask(for: what, as: call, denial, mayAsk: mayAsk, &turn)
    }
    if what.changesStoredState, let error = self.commits.denial { throw .notStored(error) }
    if self.isUnknown(what.storedSubject), let reason = self.commits.unopened { throw .notStored(reason) }
    switch what {
    case .getFix(let request):
      let isDelayed = request.delaysUntilAuthorized
      return try self.getFix(request, as: call, began: isDelayed ? turn.now : began ?? turn.now, &turn)
    case .lastFix: return .now(.lastFix(self.lastFix(of: call.client, now: turn.now)))
    case .subscribe(let parameters, durable: nil): return try self.subscribe(parameters, as: call, &turn)
    case .subscribe(let parameters, let durable?):
      return try self.subscribe(parameters, durable: durable, as: call, &turn)
    case .updateSubscription(let number, let change):
      return try self.updateSubscription(number: number, change, as: call, &turn)
    case .cancelSubscription(let number): return try self.cancelSubscription(number: number, as: call, &turn)
    case .commandSubscription(let number, let command):
      return try self.execute(number: number, command, as: call, &turn)
    case .commandDurable(let name, let command): return try self.execute(name: name, command, as: call, &turn)
    case .subscribeVisits(let durable): return try self.subscribeVisits(durable: durable, as: call, &turn)
    case .addRegion(let region, let durable): return try self.addRegion(region, durable: durable, as: call, &turn)
    case .removeRegion(let id, let durable): return try self.removeRegion(id: id, durable: durable, as: call, &turn)
    case .regionState(let id, let durable): return try self.regionState(id: id, durable: durable, as: call, &turn)
    case .listRegions(let durable, let after):
      return try self.listRegions(durable: durable, after: after, as: call, &turn)
    case .attachDurable(let name, let sinceEvent):
      return try self.attach(name: name, sinceEvent: sinceEvent, as: call, &turn)
    case .acknowledgeDurable(let name, let event):
      return try self.acknowledge(name: name, event: event, as: call, &turn)
    case .listDurables: return .now(.durables(self.durables(of: call.client, now: turn.now)))
    case .removeDurable(let name): return try self.removeDurable(name: name, as: call, &turn)
    case .listSubscriptions: return .now(.subscriptions(self.subscriptionInfos(of: .client(call.client))))
    case .completeRequest(let target): return self.complete(target, as: call, &turn)
    case .cancelRequest(let target): return self.cancel(target, as: call, &turn)
    case .listRequests: return .now(.requests(self.calls.open(of: call.client, now: turn.now)))
    case .sky: return .now(.sky(self.receiver.sky))
    case .subscribeSky(let minInterval, let isPassive):
      return try self.subscribeSky(minInterval: minInterval, isPassive: isPassive, as: call, &turn)
    case .getHeading(let request):
      return try self.getHeading(request, as: call, began: began ?? turn.now, &turn)
    case .subscribeHeading(let parameters): return try self.subscribeHeading(parameters, as: call, &turn)
    case .status: return .now(.status(self.status(for: call.client, now: turn.now)))
    case .subscribeStatus: return try self.subscribeStatus(as: call, &turn)
    case .authorization: return self.authorization(of: call.client)
    case .requestAuthorization(let request):
      return try self.requestAuthorization(request, as: call, mayAsk: mayAsk, &turn)
    case .registerAgent: return try self.registerAgent(as: call, &turn)
    case .listClients: return .now(.clients(self.clientInfos))
    case .listGrants: return .now(.grants(self.permissions.grants))
    case .grant(let uid, let user, let level, let precision):
      return try self.grant(uid: uid, user: user, level, precision, as: call, &turn)
    case .revoke(let uid): return try self.revoke(uid: uid, as: call, &turn)
    case .setEnabled(let isOn): return try self.setEnabled(isOn, as: call, &turn)
    }
  }
}
