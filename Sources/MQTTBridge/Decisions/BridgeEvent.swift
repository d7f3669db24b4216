package import PositionClient
package import Positioning

/// What happens to the bridge.
package enum BridgeEvent: Sendable {
  /// The first of all.
  case started
  /// The MQTT broker has accepted the connection.
  case connected
  /// The connection to the MQTT broker could not be made, or has ended.
  case failed(MQTTFailure)
  /// The MQTT broker has confirmed the message of this number.
  case confirmed(Int)
  /// Everything is registered with positiond under the durable name, whose newest event has this number.
  case registered(lastEvent: Int)
  /// positiond delivers events from now on, on a first or a new connection, and the newest has this number.
  case attached(lastEvent: Int)
  /// What positiond lets the bridge know from now on; `nil`: nothing.
  case permitted(Precision?)
  /// An event of the durable name, or of its connection.
  case happened(DurableEvent)
  /// The session with positiond has ended, for this reason.
  case sessionFailed(String)
  /// positiond's status has changed.
  case status(DaemonStatus)
  /// positiond has acknowledged the events up to this one.
  case acknowledged(Int)
  /// The moment of `BridgeAction.wait` has come.
  case timeReached
}

/// What the bridge is to do.
package enum BridgeAction: Sendable {
  /// Connect to the MQTT broker: `connected` or `failed` follows.
  case connect
  /// Drop the connection to the MQTT broker, or the attempt. Nothing follows.
  case disconnect
  /// Publish with QoS 1: `confirmed` follows, or `failed`.
  case publish(number: Int, MQTTMessage)
  /// Connect to positiond and register: `registered` or `sessionFailed` follows.
  case beginSession
  /// Disconnect from positiond. Nothing follows.
  case endSession
  /// Take the events of the durable name and the status, from now until the session's end: `attached` follows.
  ///
  /// - `since`: Events up to this one are taken already.
  case attach(since: Int?)
  /// Acknowledge the events up to this one: `acknowledged` or `sessionFailed` follows, or the connection to positiond is
  /// lost.
  case acknowledge(through: Int)
  /// Nothing happens by itself until then; `nil`: ever. The last one counts.
  case wait(until: Instant?)
  case log(LogLevel, String)
}
