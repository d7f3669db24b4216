package import Positioning
package import ReceiverPorts

/// What happens to the broker.
package enum BrokerEvent: Hashable, Sendable {
  case clientConnected(ClientID, Principal)
  /// The client said who it is; it proves nothing.
  case clientIntroduced(ClientID, name: String?, purpose: String?)
  /// The client can ask nothing more, and is written what waits for it: what it asked for is freed.
  case clientLeft(ClientID)
  /// Nothing is written to the client any more.
  case clientDisconnected(ClientID)
  case called(CallID, Call)
  case receiver(ReceiverEvent)
  /// The moment of the last `setDeadline` has come. Harmless when it has not.
  case deadlineReached
  /// The client has taken all that it was sent, as `reportWhenTaken` asked.
  case taken(ClientID)
  /// The store does not work, in words, or does again (`nil`).
  case storeChanged(trouble: String?)
  /// All changes up to those that `store` gave with this number last; or never will, for a reason in words.
  case stored(UInt64, trouble: String? = nil)
  /// How the start of a unit went: `nil`, or the trouble in words.
  case unitStarted(DurableID, trouble: String?)
  /// What `confirm` asked to be told.
  case confirmed(UInt64, trouble: String?)
  /// What an agent said to a prompt; `nil`: an error, or nonsense.
  case promptAnswered(PromptID, by: ClientID, PromptAnswer?)
  /// The daemon stops: every pending call is answered.
  case stopping
  /// Who users are, as far as the system says now: what it could not say in time before, or was not asked yet.
  case ownersLearned([UInt32: NameOwner])
  /// With who the users are now for whom something is kept, as far as the system can say.
  case settingsChanged(BrokerSettings, owners: [UInt32: NameOwner] = [:])
}
