/// When a text is written or read: some members are ages, and some are times by the wall clock.
package struct CodingMoment: Hashable, Sendable {
  /// The time since the boot, `CLOCK_BOOTTIME`.
  package var sinceBoot: Duration
  /// The wall clock's time since 1970, UTC.
  package var since1970: Duration

  package init(sinceBoot: Duration, since1970: Duration) {
    self.sinceBoot = sinceBoot
    self.since1970 = since1970
  }

  /// For texts in which no time depends on it.
  package static let none = CodingMoment(sinceBoot: .zero, since1970: .zero)
}

/// How a text is read: when, and what is passed over in it.
package struct ReadingContext: Sendable {
  /// What a peer of a later version may send, and this one knows nothing of.
  package struct Leniency: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Members that no table lists.
    package static let members = Leniency(rawValue: 1)
    /// Words that no enumeration has, and numbers out of their range.
    package static let values = Leniency(rawValue: 2)
  }

  package var moment: CodingMoment
  package var leniency: Leniency

  package init(moment: CodingMoment = .none, leniency: Leniency = []) {
    self.moment = moment
    self.leniency = leniency
  }
}
