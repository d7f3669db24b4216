import Positioning

/// One turn of the broker: it collects the actions that one event causes at one moment.
struct Turn: Sendable {
  /// The effort of one turn for work that could continue in the next one, in steps of `RegionGeometry.effort`: some
  /// milliseconds.
  static let effortLimit = 2000

  let now: Instant
  private(set) var actions: [Action] = []
  /// The effort that is left.
  var effort = Self.effortLimit

  init(now: Instant) { self.now = now }

  // MARK: The present call

  /// A place among the actions, and one among those that follow the commit.
  typealias Place = (now: Int, afterCommit: Int)

  /// The place of the answer to the present call: notifications from then on follow from it, and come after it. `nil`:
  /// after all earlier notifications.
  private(set) var answerPlace: Place?

  /// Begins to handle a call.
  ///
  /// - Returns: The value for `endAnswer`, since one call may cause another to be handled.
  mutating func beginAnswer() -> Place? {
    defer { self.answerPlace = nil }
    return self.answerPlace
  }

  mutating func endAnswer(_ outer: Place?) { self.answerPlace = outer }

  /// - Parameter followers: How many actions follow the commit up to now.
  mutating func placeAnswer(after followers: Int) {
    self.answerPlace = self.answerPlace ?? (self.actions.count, followers)
  }

  /// Answers the present call.
  mutating func answerNow(_ call: CallID, _ answer: Answer) {
    self.actions.insert(.answer(call, answer), at: self.answerPlace?.now ?? self.actions.endIndex)
  }

  // MARK: Actions

  mutating func act(_ action: Action) { self.actions.append(action) }

  mutating func act(_ actions: [Action]) { self.actions += actions }

  /// Before all other actions of this turn.
  mutating func actFirst(_ action: Action) { self.actions.insert(action, at: 0) }

  /// Answers a waiting call.
  mutating func answer<Value>(_ asker: Asker<Value>, _ value: Value) { self.act(.answer(asker.id, value.answer)) }

  mutating func fail(_ call: CallID, _ failure: CallFailure) { self.act(.answer(call, .failed(failure))) }

  mutating func notify(_ client: ClientID, _ notification: Notification) { self.act(.notify(client, notification)) }

  mutating func log(_ kind: LogKind, _ message: LogMessage) { self.act(.log(kind, message)) }
}
