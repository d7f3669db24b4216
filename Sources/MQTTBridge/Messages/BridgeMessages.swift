import JSONRPC
package import Positioning

/// What is published: for a connection, an event and a status.
package struct BridgeMessages: Sendable {
  let names: BridgeNames
  let settings: BridgeSettings

  package init(_ settings: BridgeSettings, names: BridgeNames) {
    self.settings = settings
    self.names = names
  }

  /// The message that the MQTT broker publishes when the bridge is gone.
  package var lastWill: MQTTMessage { self.connection("offline") }

  /// The messages at the beginning of each connection.
  package var greeting: [MQTTMessage] {
    [self.connection("online")] + (self.settings.homeAssistant.isEnabled ? self.discovery : [])
  }

  /// The messages that remove what the MQTT broker keeps of the position. Home Assistant forgets nothing at an empty one.
  package var withdrawal: [MQTTMessage] {
    (self.settings.ownTracks.isEnabled ? [MQTTMessage(topic: self.names.location, payload: [], isRetained: true)] : [])
      + (self.settings.homeAssistant.isEnabled ? [MQTTMessage(self.names.attributes, json: [:], isRetained: true)] : [])
  }

  private func connection(_ state: String) -> MQTTMessage {
    MQTTMessage(topic: self.names.connection, payload: Array(state.utf8), isRetained: true)
  }

  /// The messages for an event of the durable name; none if it has nothing that anybody reads.
  package func messages(for content: DurableContent, at now: WallMoment) -> [MQTTMessage] {
    switch content {
    case .region(let event): self.settings.ownTracks.isEnabled ? self.transitions(event, at: now) : []
    case .visit: []
    case .position(let update): self.positions(update.fixes + (update.fix.map { [$0] } ?? []), at: now)
    }
  }

  /// Each fix for OwnTracks, which draws a path, and the newest for Home Assistant, which shows where the device is.
  private func positions(_ fixes: [Fix], at now: WallMoment) -> [MQTTMessage] {
    let locations = self.settings.ownTracks.isEnabled ? fixes.map { self.location($0, at: now) } : []
    let attributes = self.settings.homeAssistant.isEnabled ? fixes.last.map { [self.attributes($0, at: now)] } : nil
    return locations + (attributes ?? [])
  }
}

/// A moment on both clocks.
package struct WallMoment: Hashable, Sendable {
  package var instant: Instant
  package var since1970: Duration

  package init(instant: Instant, since1970: Duration) {
    self.instant = instant
    self.since1970 = since1970
  }

  var timestamp: Timestamp { Timestamp(since1970: self.since1970) }

  /// When the fix was: by the receiver's time, or by its arrival if it reported none.
  ///
  /// Where the two differ by more than a day, one clock is wrong: a receiver whose count of weeks began again, or a
  /// device without a battery before its clock was set. Both are in the past, so the later one counts.
  func time(of fix: Fix) -> Timestamp {
    let arrival = Timestamp(of: fix.arrival, now: self.instant, since1970: self.since1970)
    guard let time = fix.time else { return arrival }
    let day = Duration.seconds(86_400)
    return time - arrival > day || arrival - time > day ? max(time, arrival) : time
  }
}
