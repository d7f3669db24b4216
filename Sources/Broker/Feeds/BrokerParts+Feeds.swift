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
    guard let (reduced, kept) = self.feeds.reduce(fix, mayDrift: self.commits.trouble == nil, now: turn.now) else {
      return
    }
    self.commits.keep(.putFuzzer(self.feeds.fuzzer), .reducedFix(reduced, of: fix, kept: kept, epoch: epoch), &turn)
  }

  /// One more sees the feed: it shows at once what was shown in it last.
  mutating func enter(_ new: FixFeedKey?, _ turn: inout Turn) {
    let (newest, epoch) = (self.receiver.current, self.receiver.currentEpoch)
    self.feeds.enter(new, newest: newest, epoch: epoch)
    if new?.precision == .reduced, let newest { self.reduce(newest, epoch: epoch, &turn) }
  }
}

extension Availability {
  /// Those who may know the position roughly are not told how well the receiver does.
  func seen(with precision: Precision) -> Availability {
    precision == .reduced ? max(self, .accuracyLimited) : self
  }
}
