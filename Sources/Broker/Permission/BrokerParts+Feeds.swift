import Positioning

/// What clients get to see of the fixes, by what they may know.
extension BrokerParts {
  /// What stands between the receiver and somebody who may know so much.
  func availability(in feed: FixFeedKey?, maximumAge: Duration?, now: Instant) -> Availability {
    guard let feed else { return .denied }
    return self.receiver.availability(isOn: self.demand.isOn, maximumAge: maximumAge, now: now).seen(
      with: feed.precision)
  }

  /// The same as of the last time that it changed.
  func availability(of holder: Holder) -> Availability {
    self.feed(of: holder).map { self.receiver.availability.seen(with: $0.precision) } ?? .denied
  }

  /// Makes of a fix what those are shown who may know the position roughly, if there is anybody and it is time.
  ///
  /// It is kept before it is shown: a daemon that dies shows no second one in ten minutes, nor one by another offset. While
  /// nothing can be kept it is shown without, by the offset that was kept last.
  mutating func reduce(_ fix: Fix, epoch: Int, _ turn: inout Turn) {
    guard self.feeds.isAnyReduced else { return }
    let kept = self.reducedFixes.snapshot
    guard let reduced = self.reducedFixes.fixed(fix, mayDrift: self.commits.trouble == nil, now: turn.now) else {
      return
    }
    self.commits.keep(
      .putFuzzer(self.reducedFixes.snapshot), .reducedFix(reduced, of: fix, kept: kept, epoch: epoch), &turn)
  }

  /// One more sees the feed: it shows at once what was shown in it last.
  mutating func enter(_ new: FixFeedKey?, _ turn: inout Turn) {
    self.feeds.join(new, by: 1)
    guard let new, new.isSampled else { return }
    let epoch = self.receiver.currentEpoch
    if let fix = new.precision == .precise ? self.receiver.current : self.reducedFixes.newest {
      self.feeds.modify(new) { _ = $0.take(fix, epoch: epoch) }
    }
    if new.precision == .reduced, let current = self.receiver.current { self.reduce(current, epoch: epoch, &turn) }
  }
}

extension Availability {
  /// Those who may know the position roughly are not told how well the receiver does.
  func seen(with precision: Precision) -> Availability {
    precision == .reduced ? max(self, .accuracyLimited) : self
  }
}
