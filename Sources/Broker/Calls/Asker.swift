/// Whom an answer is for: it takes only the value that answers its call, so that a wrong answer does not compile.
struct Asker<Value: CallValue>: Hashable, Sendable {
  let id: CallID

  /// - Parameter value: Which value answers it; the call's case has it.
  init(_ id: CallID, _ value: By<Value>) { self.id = id }

  var client: ClientID { self.id.client }

  func now(_ value: Value) -> Answering { Answering(way: .now(value.answer)) }

  /// Answers with the value once the store has committed the turn's changes.
  func afterCommit(_ value: Value) -> Answering { Answering(way: .afterCommit(value.answer)) }
}

extension Asker where Value == SubscriptionAnswer {
  /// Answers with the new subscription, in its state after the receiver was planned for it.
  func begun(_ id: SubscriptionID) -> Answering { Answering(way: .begun(id)) }

  /// Answers with the changed subscription, in its state after the receiver was planned for it.
  func changed(_ id: SubscriptionID) -> Answering { Answering(way: .changed(id)) }
}

/// The way in which a call is answered. Its handler returns one, which its `Asker` makes, or throws the failure; only
/// the dispatcher answers.
struct Answering: Sendable {
  enum Way: Sendable {
    case now(Answer)
    case afterCommit(Answer)
    case begun(SubscriptionID)
    case changed(SubscriptionID)
    case later
  }

  let way: Way

  fileprivate init(way: Way) { self.way = way }

  /// The call is answered later, when the event comes that it waits for.
  static let later = Answering(way: .later)

  /// Whether the call is answered without waiting for anything.
  var isAtOnce: Bool { if case .now = self.way { true } else { false } }
}

extension CallFailure: Error {}
