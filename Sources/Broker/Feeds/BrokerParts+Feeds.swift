import Positioning

/// The feeds of fixes, by permission.
extension BrokerParts {
  /// The availability facts for a holder with this feed.
  func availability(in feed: FixFeedKey?, maximumAge: Duration?, now: Instant) -> Availability {
    guard let feed else { return .denied }
    return self.receiver.availability(isOn: self.demand.isSearching, maximumAge: maximumAge, now: now).seen(
      with: feed.precision)
  }

  /// The same, as of the last change.
  func availability(of holder: Holder) -> Availability {
    self.feed(of: holder).map { self.receiver.availability.seen(with: $0.precision) } ?? .denied
  }

  /// Makes a reduced fix, if any client sees the reduced feed and it is time.
  ///
  /// It is stored before it is published: a daemon that crashes publishes no second one within ten minutes, and none
  /// with another offset. While nothing can be stored it is published anyway, with the offset that was stored last.
  mutating func reduce(_ fix: Fix, epoch: Int, _ turn: inout Turn) {
    guard let (reduced, kept) = self.feeds.reduce(fix, mayDrift: self.commits.denial == nil, now: turn.now) else {
      return
    }
    self.commits.keep(.putFuzzer(self.feeds.fuzzer), .reducedFix(reduced, of: fix, kept: kept, epoch: epoch), &turn)
  }

  /// Another holder gets the feed, which begins with its last published fix.
  mutating func enter(_ new: FixFeedKey?, _ turn: inout Turn) {
    let (newest, epoch) = (self.receiver.current, self.receiver.currentEpoch)
    self.feeds.enter(new, newest: newest, epoch: epoch)
    if new?.precision == .reduced, let newest { self.reduce(newest, epoch: epoch, &turn) }
  }
}

extension Availability {
  /// Clients of the reduced feed do not get the receiver's quality.
  func seen(with precision: Precision) -> Availability {
    precision == .reduced ? max(self, .accuracyLimited) : self
  }
}
