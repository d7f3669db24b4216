import JSONRPC
import Positioning

/// OwnTracks' JSON: https://owntracks.org/booklet/tech/json/. Its numbers are integers, except latitude and longitude.
extension BridgeMessages {
  /// `_type` location. Retained, as the apps' are, so that a map that starts shows the newest one.
  func location(_ fix: Fix, at now: WallMoment) -> MQTTMessage {
    var members = self.place(fix, at: now)
    members["_type"] = "location"
    members["created_at"] = Self.seconds(now.timestamp)
    // p: from the background; t: by time.
    members["t"] = self.settings.position.mode == .deferred ? "t" : "p"
    members["alt"] = fix.altitude.map { Self.integer($0) }
    members["vac"] = fix.verticalAccuracy.map { Self.integer($0.rounded(.up)) }
    members["vel"] = fix.speed.map { Self.integer($0 * 3.6) }
    members["cog"] = fix.course.map { .integer(Int($0.rounded()) % 360) }
    return MQTTMessage(self.names.location, json: members, isRetained: true, reveals: fix.reveals)
  }

  /// `_type` transition; none for an event that OwnTracks does not know.
  func transitions(_ event: RegionEvent, at now: WallMoment) -> [MQTTMessage] {
    let words: [JSONValue] =
      switch event.kind {
      case .enter: ["enter"]
      case .exit: ["leave"]
      case .crossed: ["enter", "leave"]
      case .dwell, .expired, .unknown: []
      }
    return words.map { word in
      var members = event.fix.map { self.place($0, at: now) } ?? ["tst": Self.seconds(now.timestamp)]
      members["_type"] = "transition"
      members["event"] = word
      members["desc"] = .string(event.id)
      members["t"] = "c"
      members["tid"] = .string(self.names.trackerID)
      // The region began so, and nothing was entered or left. OwnTracks' apps ignore what they do not know.
      members["initial"] = event.isInitial ? true : nil
      return MQTTMessage(
        self.names.transition, json: members, isRetained: false, reveals: event.isReduced ? .reduced : .precise)
    }
  }

  private func place(_ fix: Fix, at now: WallMoment) -> [String: JSONValue?] {
    [
      "lat": .number(fix.latitude), "lon": .number(fix.longitude), "tst": Self.seconds(now.time(of: fix)),
      "tid": .string(self.names.trackerID),
      // Rounded up: never better than the truth.
      "acc": fix.horizontalAccuracy.map { Self.integer($0.rounded(.up)) },
    ]
  }

  private static func seconds(_ time: Timestamp) -> JSONValue { .integer(Int(time.wholeSeconds.seconds)) }

  private static func integer(_ value: Double) -> JSONValue { .integer(Int(clamping: Int64(value.rounded()))) }
}
