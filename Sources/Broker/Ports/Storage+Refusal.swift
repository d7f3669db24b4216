extension [Action] {
  /// What is left of actions that were to be carried out once something had been kept, where it could not be: whoever
  /// asked is told so, and what belongs to a durable name is not told, because it could come out of turn and be
  /// acknowledged with what came before it. It is still in its inbox.
  package func refused(because reason: String) -> [Action] {
    self.flatMap { (action: Action) -> [Action] in
      switch action {
      case .answer(let call, _): [.answer(call, .failed(.notStored(reason)))]
      case .notify, .startUnit: []
      case .confirm(let number, _): [.confirm(number, trouble: reason)]
      case .setReceiver, .setDeadline, .store, .reportWhenTaken, .log, .clear, .ask, .withdraw, .inUse: [action]
      }
    }
  }
}
