import ConfigurationTables
import JSONRPC
import PositionClient
import Positioning
import TestSupport
import Testing

@testable import MQTTBridge

/// What is published, member for member.
@Suite struct MessageTests {
  private static let now = WallMoment(instant: Instant(sinceBoot: .seconds(500)), since1970: .seconds(1_700_000_100))

  private static let fix = Fix(
    latitude: 48.137, longitude: 11.575, horizontalAccuracy: 7.2, altitude: 545.4, verticalAccuracy: 11.1, speed: 10,
    course: 359.7, time: Timestamp(seconds: 1_700_000_090.9), arrival: Instant(sinceBoot: .seconds(491)),
    satellitesUsed: 9)

  private static func published(_ content: DurableContent, _ settings: BridgeSettings = BridgeSettings()) throws
    -> [(topic: String, json: JSONValue, isRetained: Bool)]
  {
    try World.messages(settings).messages(for: content, at: self.now).map {
      ($0.topic, try JSONValue(parsing: $0.payload), $0.isRetained)
    }
  }

  private static func position(_ fixes: Fix...) -> DurableContent {
    .position(PositionUpdate(fixes: fixes, availability: .available))
  }

  @Test func `a fix is OwnTracks' location, retained, in whole numbers and km/h`() throws {
    let messages = try Self.published(Self.position(Self.fix))
    #expect(messages.count == 1)
    #expect(messages[0].topic == "owntracks/positiond/boat" && messages[0].isRetained)
    #expect(
      messages[0].json == [
        "_type": "location", "lat": 48.137, "lon": 11.575, "acc": 8, "alt": 545, "vac": 12, "vel": 36, "cog": 0,
        "tst": 1_700_000_090, "created_at": 1_700_000_100, "tid": "at", "t": "p",
      ])
  }

  @Test func `what the receiver did not report is absent`() throws {
    let fix = Fix(latitude: 1.5, longitude: -2.5, arrival: Instant(sinceBoot: .seconds(499)))
    let messages = try Self.published(Self.position(fix))
    #expect(
      messages[0].json == [
        "_type": "location", "lat": 1.5, "lon": -2.5, "tst": 1_700_000_099, "created_at": 1_700_000_100, "tid": "at",
        "t": "p",
      ])
  }

  @Test(arguments: [
    // A receiver whose weeks began again: the arrival counts.
    (1_080_000_000.0, 1_700_000_091), (1_700_000_050, 1_700_000_050),
    // A device whose clock was not set: the receiver's time counts.
    (1_790_000_000, 1_790_000_000),
  ])
  func `the time is the receiver's, unless it is long ago`(time: Double, shown: Int) throws {
    var fix = Self.fix
    fix.time = Timestamp(seconds: time)
    #expect(try Self.published(Self.position(fix))[0].json["tst"] == .integer(shown))
  }

  @Test(arguments: [
    (RegionEventKind.enter, ["enter"]), (.exit, ["leave"]), (.crossed, ["enter", "leave"]), (.dwell, []),
    (.expired, []),
  ])
  func `an event of a region is OwnTracks' transition, not retained`(kind: RegionEventKind, words: [String]) throws {
    let event = RegionEvent(id: "home \u{1F3E0}", kind: kind, state: .inside, fix: Self.fix)
    let messages = try Self.published(.region(event))
    #expect(messages.map { $0.json["event"] } == words.map { .string($0) })
    for message in messages {
      #expect(message.topic == "owntracks/positiond/boat/event" && !message.isRetained)
      #expect(message.json["_type"] == "transition" && message.json["desc"] == "home \u{1F3E0}")
      #expect(message.json["lat"] == 48.137 && message.json["acc"] == 8 && message.json["tst"] == 1_700_000_090)
    }
  }

  @Test(arguments: [true, false])
  func `a transition says whether it is only the state in which the region began`(isInitial: Bool) throws {
    let event = RegionEvent(id: "home", kind: .enter, state: .inside, fix: Self.fix, isInitial: isInitial)
    #expect(try Self.published(.region(event)).map { $0.json["initial"] } == [isInitial ? true : nil])
  }

  @Test func `Home Assistant gets the newest fix of a batch, and OwnTracks all`() throws {
    var settings = BridgeSettings()
    settings.homeAssistant.isEnabled = true
    var later = Self.fix
    later.latitude = 48.138
    let messages = try Self.published(Self.position(Self.fix, later), settings)
    #expect(
      messages.map(\.topic) == [
        "owntracks/positiond/boat", "owntracks/positiond/boat", "positiond/boat/attributes",
      ])
    #expect(
      messages[2].json == [
        "latitude": 48.138, "longitude": 11.575, "gps_accuracy": 7.2, "altitude": 545.4, "vertical_accuracy": 11.1,
        "speed": 10, "course": 359.7, "satellites": 9, "time": "2023-11-14T22:14:50.900Z",
      ])
    settings.ownTracks.isEnabled = false
    #expect(try Self.published(Self.position(Self.fix), settings).map(\.topic) == ["positiond/boat/attributes"])
  }

  @Test func `Home Assistant finds a tracker and its sensors, each with an id of its own and a device in common`()
    throws
  {
    var settings = BridgeSettings()
    #expect(World.messages(settings).greeting.count == 1)
    settings.homeAssistant.isEnabled = true
    let discovery = World.messages(settings).greeting.dropFirst()
    #expect(discovery.allSatisfy { $0.isRetained })
    let entities = try discovery.map { ($0.topic, try JSONValue(parsing: $0.payload)) }
    #expect(
      entities.map(\.0) == [
        "homeassistant/device_tracker/positiond_boat/config",
        "homeassistant/binary_sensor/positiond_boat_connection/config",
        "homeassistant/sensor/positiond_boat_accuracy/config", "homeassistant/sensor/positiond_boat_power/config",
        "homeassistant/sensor/positiond_boat_duty_cycle/config",
      ])
    #expect(Set(entities.compactMap { $0.1["unique_id"] }).count == 5)
    #expect(Set(entities.compactMap { $0.1["device"]?["identifiers"] }).count == 1)
    let tracker = entities[0].1
    #expect(tracker["json_attributes_topic"] == "positiond/boat/attributes" && tracker["source_type"] == "gps")
    // What a sensor reads is published.
    let attributes = try Self.published(Self.position(Self.fix), settings).last
    #expect(attributes?.topic == "positiond/boat/attributes" && attributes?.json["gps_accuracy"] == 7.2)
    #expect(entities[2].1["value_template"] == "{{ value_json.gps_accuracy }}")
  }

  @Test func `a share of an hour or a day is published once that has passed, and until then of how many seconds`()
    throws
  {
    var status = try Samples.decoded(Samples.status, as: DaemonStatus.self)
    status.power.dutyCycle = .init(hour: 0.9, day: 0.25)
    func json(_ uptime: Duration) throws -> [String: JSONValue] {
      let message = World.messages(BridgeSettings()).status(status, now: status.began + uptime)
      guard case .object(let members) = try JSONValue(parsing: message.payload) else { return [:] }
      return members
    }
    func members(_ uptime: Duration) throws -> Set<String> { Set(try json(uptime).keys).intersection(shares) }
    let shares: Set<String> = ["duty_cycle_hour", "duty_cycle_day", "on_seconds", "of_seconds"]
    #expect(try members(.seconds(38)) == ["on_seconds", "of_seconds"])
    #expect(try json(.seconds(38))["of_seconds"] == 38)
    #expect(try members(.seconds(7200)) == ["duty_cycle_hour", "on_seconds", "of_seconds"])
    #expect(try json(.seconds(7200))["duty_cycle_hour"] == 90)
    #expect(try members(.seconds(86_400)) == ["duty_cycle_hour", "duty_cycle_day"])
    #expect(try json(.seconds(86_400))["duty_cycle_day"] == 25)
  }

  @Test func `whether a fix can be trusted is an attribute, and what speaks against it in words`() throws {
    var settings = BridgeSettings()
    settings.homeAssistant.isEnabled = true
    var fix = Self.fix
    (fix.integrity, fix.integrityReasons) = (.suspect, [.speed, .signal])
    let doubted = try #require(try Self.published(Self.position(fix), settings).last).json
    #expect(doubted["integrity"] == "suspect")
    #expect(doubted["doubt"] == .string(IntegrityReasons([.signal, .speed]).text))
    let usual = try #require(try Self.published(Self.position(Self.fix), settings).last).json
    #expect(usual["integrity"] == nil && usual["doubt"] == nil)
  }

  @Test func `the last will says offline, retained, where Home Assistant reads the connection`() {
    let will = World.messages().lastWill
    #expect(will.topic == "positiond/boat/connection" && will.payload == Array("offline".utf8) && will.isRetained)
  }

  @Test(arguments: [
    ("boat", "boat"), ("boat.example.org", "boat-example-org"), ("a+b/#", "a-b--"), ("", "device"),
    (String(repeating: "é", count: 100), String(repeating: "-", count: 64)),
  ])
  func `a host's name becomes one level of a topic`(host: String, level: String) {
    #expect(BridgeNames(BridgeSettings(), host: host).device == level)
  }
}
