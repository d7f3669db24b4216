package import Positioning
package import ReceiverPorts

/// The events that the broker handles.
package enum BrokerEvent: Hashable, Sendable {
  case clientConnected(ClientID, Principal)
  /// The client has introduced itself; its claims prove nothing.
  case clientIntroduced(ClientID, name: String?, purpose: String?)
  /// The client requests nothing more, but its queue is still being written: everything that it has open is freed.
  case clientLeft(ClientID)
  /// Nothing is written to the client any more.
  case clientDisconnected(ClientID)
  case called(CallID, Call)
  case receiver(ReceiverEvent)
  /// chrony's answer to the last `askClock`; `nil`: there is none. Each question gets one.
  case clockReported(ClockFigure?)
  /// The moment of the last `setDeadline`. Has no effect before it.
  case deadlineReached
  /// The daemon did not run for so long, until now: the machine slept, or the process was stopped.
  case gapEnded(Duration)
  /// The client has taken everything that it was sent, as `reportWhenTaken` asked.
  case taken(ClientID)
  /// The store has an error, or works again (`nil`).
  case storeChanged(error: String?)
  /// The store could not be opened when the daemon started, for this reason: what it holds is not known.
  case storeUnopened(String)
  /// The store is open now, with this state.
  case storeOpened(StoredState)
  /// All changes up to those of `store` with this number are committed, or never will be because of the error.
  case stored(UInt64, error: String? = nil)
  /// The receiver that is turned off from now on, so that the next daemon turns it on (`nil`: none); its rung waits until
  /// that is stored.
  case stoppedReceiverChanged(StoppedReceiver?)
  /// The result of a unit's start: `nil`, or the error.
  case unitStarted(DurableID, error: String?)
  /// An agent's answer to a prompt; `nil`: an error, or an invalid answer.
  case promptAnswered(PromptID, by: ClientID, PromptAnswer?)
  /// The daemon stops: all waiting calls are answered.
  case stopping
  /// The users' present names and groups, after lookups that took too long or were not made before.
  case ownersLearned([UInt32: OwnerAccount])
  /// The settings have changed; `owners`: the present users of stored data, as far as lookups succeed.
  case settingsChanged(BrokerSettings, owners: [UInt32: OwnerAccount] = [:])
}
