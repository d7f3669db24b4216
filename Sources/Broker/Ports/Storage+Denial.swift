extension [Action] {
  /// The actions that remain when a change could not be stored: calls fail. Events of durable names are not sent, since
  /// they could be out of order and be acknowledged together with earlier ones. They stay in the inbox.
  package func refused(because reason: String) -> [Action] {
    self.flatMap { (action: Action) -> [Action] in
      switch action {
      case .answer(let call, _): [.answer(call, .failed(.notStored(reason)))]
      case .notify, .startUnit: []
      case .confirm(let number, _): [.confirm(number, error: reason)]
      case .setReceiver, .setDeadline, .store, .reportWhenTaken, .log, .clear, .ask, .withdraw, .inUse, .end: [action]
      }
    }
  }
}
