import Positioning

/// What clients get to see of the fixes, by what they may know.
extension BrokerMachine {
  /// Which fixes a client, or a durable name, sees; `nil`: none.
  func view(of holder: ClientID) -> FixViewKey? {
    if holder.isDurable { return self.holders[holder].flatMap { self.names[$0]?.view } }
    return self.clients[holder]?.access.view
  }

  func isPrecise(_ holder: ClientID) -> Bool { self.view(of: holder)?.precision == .precise }

  /// What stands between the receiver and somebody who may know so much.
  func availability(in view: FixViewKey?, maximumAge: Duration?, now: Instant) -> Availability {
    guard let view else { return .denied }
    return self.facts.availability(maximumAge: maximumAge, now: now).seen(with: view.precision)
  }

  /// The same as of the last time that it changed.
  func availability(of holder: ClientID) -> Availability {
    self.view(of: holder).map { self.availability.seen(with: $0.precision) } ?? .denied
  }

  /// Makes of a fix what those are told who may know the position roughly, if there is anybody and it is time.
  ///
  /// It is kept before it is told: a daemon that dies tells no second one in ten minutes, nor one by another offset. While
  /// nothing can be kept it is told without, by the offset that was kept last.
  mutating func disguise(_ fix: Fix, epoch: Int, _ turn: inout Turn) {
    let kept = self.disguise.snapshot
    guard self.views.isAnyReduced,
      let reduced = self.disguise.fixed(fix, mayDrift: self.storeTrouble == nil, now: turn.now)
    else { return }
    self.keep(.putDisguise(self.disguise.snapshot), .reducedFix(reduced, of: fix, kept: kept, epoch: epoch), &turn)
  }

  /// One more sees the view: it shows at once what was told in it last.
  mutating func enter(_ new: FixViewKey?, _ turn: inout Turn) {
    self.views.join(new, by: 1)
    guard let new, new.isSampled else { return }
    let epoch = self.filter.currentEpoch
    if let fix = new.precision == .precise ? self.current : self.newestReduced {
      self.views.modify(new) { _ = $0.take(fix, epoch: epoch) }
    }
    if new.precision == .reduced, let current { self.disguise(current, epoch: epoch, &turn) }
  }

  // MARK: Needs

  /// Who waits for the next fix of a view needs the receiver when that can come, and not before.
  mutating func need(_ need: Need, in view: FixViewKey?, for key: NeedKey, _ turn: inout Turn) {
    guard need == .now, let view, let due = self.views[view].nextDue(now: turn.now) else {
      return self.needs.set(need, for: key)
    }
    self.needs.set(.from(due), for: key)
    self.setDeadline(due, for: .view(view))
  }

  /// A view's next fix can come, or one just came: who waits for it needs the receiver now, or again later.
  mutating func refreshNeeds(in view: FixViewKey, _ turn: inout Turn) {
    self.setDeadline(nil, for: .view(view))
    for call in self.requests.keys(in: view) { self.need(.now, in: view, for: .request(call), &turn) }
    for id in self.positions.keys(in: view) { self.refresh(id, &turn) }
    self.refreshRegions(in: view, &turn)
  }
}

extension Availability {
  /// Those who may know the position roughly are not told how well the receiver does.
  func seen(with precision: Precision) -> Availability {
    precision == .reduced ? max(self, .accuracyLimited) : self
  }
}
