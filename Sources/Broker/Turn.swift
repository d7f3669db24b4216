import Positioning

/// One turn of the broker: everything that one event causes at one moment.
///
/// It collects the actions for now, the changes for the store, and the actions after they are committed.
struct Turn: Sendable {
  /// The effort of one turn for work that could continue in the next one, in steps of `RegionGeometry.effort`: some
  /// milliseconds.
  static let effortLimit = 2000

  let now: Instant
  private(set) var actions: [Action] = []
  private(set) var changes: [StoreChange]
  /// What follows once the changes are committed.
  private(set) var followers: [Follower] = []
  /// The effort that is left.
  var effort = Self.effortLimit

  /// - Parameter changes: Earlier changes for the store.
  init(now: Instant, changes: [StoreChange] = []) {
    self.now = now
    self.changes = changes
  }

  // MARK: The present call

  /// Among the actions, and among those after the commit.
  typealias Place = (now: Int, afterCommit: Int)

  /// The place of the answer; `nil`: after all earlier notifications.
  private var answerPlace: Place?

  /// Begins to handle a call.
  ///
  /// - Returns: The value for `endAnswer`, since one call may cause another to be handled.
  mutating func beginAnswer() -> Place? {
    defer { self.answerPlace = nil }
    return self.answerPlace
  }

  mutating func endAnswer(_ outer: Place?) { self.answerPlace = outer }

  /// Reserves the place of the answer: notifications from now on follow from it, and come after it.
  mutating func placeAnswer() {
    self.answerPlace = self.answerPlace ?? (self.actions.count, self.followers.count)
  }

  /// Answers the present call.
  mutating func answerNow(_ call: CallID, _ answer: Answer) {
    guard let answerPlace else { return self.act(.answer(call, answer)) }
    self.actions.insert(.answer(call, answer), at: answerPlace.now)
  }

  /// The same after the commit.
  mutating func answerAfterCommit(_ call: CallID, _ answer: Answer) {
    guard let answerPlace else { return self.afterCommit(.answer(call, answer)) }
    self.followers.insert(.answer(call, answer), at: answerPlace.afterCommit)
  }

  // MARK: Now

  mutating func act(_ action: Action) { self.actions.append(action) }

  mutating func act(_ actions: [Action]) { self.actions += actions }

  /// Before all other actions of this turn.
  mutating func actFirst(_ action: Action) { self.actions.insert(action, at: 0) }

  /// Answers a waiting call.
  mutating func answer<Value>(_ asker: Asker<Value>, _ value: Value) { self.act(.answer(asker.id, value.answer)) }

  mutating func fail(_ call: CallID, _ failure: CallFailure) { self.act(.answer(call, .failed(failure))) }

  mutating func notify(_ client: ClientID, _ notification: Notification) { self.act(.notify(client, notification)) }

  mutating func log(_ kind: LogKind, _ message: LogMessage) { self.act(.log(kind, message)) }

  // MARK: After the commit

  mutating func store(_ change: StoreChange) { self.changes.append(change) }

  mutating func afterCommit(_ follower: Follower) { self.followers.append(follower) }

  /// Replaces the single changes of something by its whole state.
  ///
  /// - Parameter held: What waited for the state to be stored; it comes first.
  mutating func catchUp(_ states: [StoreChange], after held: [Follower], replacing isReplaced: (StoreChange) -> Bool) {
    self.changes = states + self.changes.filter { !isReplaced($0) }
    self.followers = held + self.followers
  }

  /// Takes the reduced fixes of this turn, which wait for nothing.
  mutating func takeReducedFixes() -> [AwaitedChange] { self.followers.takeReducedFixes() }

  /// Hands over the changes for the store, and what follows.
  mutating func takeCommit() -> (changes: [StoreChange], followers: [Follower]) {
    defer { (self.changes, self.followers) = ([], []) }
    return (self.changes, self.followers)
  }
}
