/// The moment at which a text is written or read: some members are ages, others times of the wall clock.
@usableFromInline
package struct CodingMoment: Hashable, Sendable {
  /// The time since the boot, `CLOCK_BOOTTIME`.
  package var sinceBoot: Duration
  /// The wall clock's time since 1970, UTC.
  package var since1970: Duration

  package init(sinceBoot: Duration, since1970: Duration) {
    self.sinceBoot = sinceBoot
    self.since1970 = since1970
  }

  /// For texts without times.
  package static let none = CodingMoment(sinceBoot: .zero, since1970: .zero)
}

/// How a text is read: the moment of reading, and the parts to ignore.
@usableFromInline
package struct ReadingContext: Sendable {
  /// Parts that a peer of a later version may send and that this version does not know.
  @usableFromInline
  package struct Leniency: OptionSet, Sendable {
    @usableFromInline
    package let rawValue: Int

    @usableFromInline
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Members that the table does not have.
    package static let members = Leniency(rawValue: 1)
    /// Enumeration cases that are unknown, and numbers outside of their range.
    @usableFromInline
    package static let values = Leniency(rawValue: 2)
  }

  package var moment: CodingMoment
  @usableFromInline
  package var leniency: Leniency

  package init(moment: CodingMoment = .none, leniency: Leniency = []) {
    self.moment = moment
    self.leniency = leniency
  }
}
