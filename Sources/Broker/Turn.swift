import Positioning

/// One turn of the broker: what one event brings about at one moment.
///
/// It collects what is to be done now, what the store is to keep, and what is to be done once that is kept.
struct Turn: Sendable {
  /// How much work is done in a turn that could go on in the next one, in the steps of `RegionGeometry.effort`: some
  /// milliseconds.
  static let effortLimit = 2000

  let now: Instant
  private(set) var actions: [Action] = []
  private(set) var changes: [StoreChange]
  /// What is done once the changes are kept.
  private(set) var followers: [Action] = []
  /// What is left of this turn's effort.
  var effort = Self.effortLimit

  /// - Parameter changes: what the store is to keep already.
  init(now: Instant, changes: [StoreChange] = []) {
    self.now = now
    self.changes = changes
  }

  // MARK: The call that is handled

  /// Among the actions, and among those that follow the commit.
  typealias Place = (now: Int, afterCommit: Int)

  /// Where its answer comes; `nil`: after all that was told before.
  private var answerPlace: Place?

  /// A call begins to be handled.
  ///
  /// - Returns: what `endAnswer` wants: one call may bring about that another is handled.
  mutating func beginAnswer() -> Place? {
    defer { self.answerPlace = nil }
    return self.answerPlace
  }

  mutating func endAnswer(_ outer: Place?) { self.answerPlace = outer }

  /// Keeps a place for the answer: what is told from now on follows from it, and comes after it.
  mutating func placeAnswer() {
    self.answerPlace = self.answerPlace ?? (self.actions.count, self.followers.count)
  }

  /// Answers the call that is handled.
  mutating func reply(to call: CallID, _ answer: Answer) {
    self.actions.insert(.answer(call, answer), at: self.answerPlace?.now ?? self.actions.count)
  }

  /// The same once the changes are kept.
  mutating func replyAfterCommit(to call: CallID, _ answer: Answer) {
    self.followers.insert(.answer(call, answer), at: self.answerPlace?.afterCommit ?? self.followers.count)
  }

  // MARK: Now

  mutating func act(_ action: Action) { self.actions.append(action) }

  mutating func act(_ actions: [Action]) { self.actions += actions }

  /// Answers a call that has waited.
  mutating func answer(_ call: CallID, _ answer: Answer) { self.act(.answer(call, answer)) }

  mutating func notify(_ client: ClientID, _ notification: Notification) { self.act(.notify(client, notification)) }

  mutating func log(_ level: LogLevel, _ text: String) { self.act(.log(level, text)) }

  // MARK: Once it is kept

  mutating func store(_ change: StoreChange) { self.changes.append(change) }

  mutating func afterCommit(_ action: Action) { self.followers.append(action) }

  /// Puts the whole state of something in place of its single changes.
  ///
  /// - Parameter held: what was to be done once the state is kept; it comes first.
  mutating func catchUp(_ states: [StoreChange], after held: [Action], replacing isReplaced: (StoreChange) -> Bool) {
    self.changes = states + self.changes.filter { !isReplaced($0) }
    self.followers = held + self.followers
  }

  /// Hands over what the store is to keep, and what follows.
  mutating func takeCommit() -> (changes: [StoreChange], followers: [Action]) {
    defer { (self.changes, self.followers) = ([], []) }
    return (self.changes, self.followers)
  }
}
