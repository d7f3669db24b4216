import Positioning
import ReceiverSimulator
import Systemd
import Testing

@testable import GeoClue

/// GeoClue's objects, without a bus and without a daemon.
struct GeoClueServiceTests {
  /// A service, and the programs that call it.
  fileprivate struct World {
    var service = GeoClueService()
    fileprivate var last: GeoClueService.CallNumber = 0

    mutating func call(
      _ member: String, at path: String = GeoClueService.managerPath, _ interface: Interface = .manager,
      _ arguments: [BusValue]? = [], from sender: String = ":1.1"
    ) -> [GeoClueService.Action] {
      self.last += 1
      return self.service.called(
        GeoClueService.Call(
          number: self.last, sender: sender, path: path, interface: interface.name, member: member,
          arguments: arguments))
    }

    /// The number of the last call.
    var number: GeoClueService.CallNumber { self.last }

    /// A client of a program, whose user is known from then on.
    mutating func client(of sender: String = ":1.1", uid: UInt32 = 1000) throws -> String {
      var actions = self.call("CreateClient", from: sender)
      if actions == [.identify(sender)] { actions = self.service.identified(sender, as: uid) }
      guard case .reply(self.last, let values)? = actions.first, case .objectPath(let path)? = values.first else {
        throw Unexpected(actions)
      }
      return path
    }

    mutating func set(_ property: String, _ value: BusValue, of path: String) -> [GeoClueService.Action] {
      self.call("Set", at: path, .properties, [.string(Interface.client.name), .string(property), .variant(value)])
    }

    mutating func get(_ property: String, of path: String, from sender: String = ":1.1") throws -> BusValue {
      let actions = self.call(
        "Get", at: path, .properties, [.string(Interface.client.name), .string(property)], from: sender)
      guard actions.count == 1, case .reply(_, let values) = actions[0], case .variant(let value)? = values.first else {
        throw Unexpected(actions)
      }
      return value
    }

    /// A started client that may know.
    mutating func active(_ need: LocationNeed = LocationNeed()) throws -> String {
      let path = try self.client()
      _ = self.set("DesktopId", .string("map"), of: path)
      _ = self.set("DistanceThreshold", .uint32(need.distanceThreshold), of: path)
      _ = self.set("TimeThreshold", .uint32(need.timeThreshold), of: path)
      _ = self.call("Start", at: path, .client)
      _ = self.service.decided(1, .granted)
      return path
    }
  }

  private struct Unexpected: Error {
    let actions: [GeoClueService.Action]
    init(_ actions: [GeoClueService.Action]) { self.actions = actions }
  }

  private static func location(_ seconds: Double, north meters: Double = 0, accuracy: Double? = 8) -> Location {
    let fix = Fix(
      latitude: 48 + meters / 111_200, longitude: 11, horizontalAccuracy: accuracy,
      arrival: .boot + .seconds(seconds))
    return Location(fix: fix, time: Timestamp(milliseconds: 1_700_000_000_123))
  }

  private static func error(_ actions: [GeoClueService.Action]) -> String? {
    for case .fail(_, let error) in actions { return error.name.split(separator: ".").last.map { String($0) } }
    return nil
  }

  private static func announcements(_ actions: [GeoClueService.Action]) -> [[BusValue]] {
    actions.compactMap { if case .signal(_, _, "LocationUpdated", let values, ":1.1") = $0 { values } else { nil } }
  }

  @Test func `GetClient returns the program's one client, and CreateClient always another`() throws {
    var world = World()
    #expect(world.call("GetClient") == [.identify(":1.1")])
    // Until the user is known, calls wait; nobody is asked twice.
    #expect(world.call("GetClient") == [])
    let path = "\(GeoClueService.root)/Client/1"
    #expect(
      world.service.identified(":1.1", as: 1000) == [.reply(1, [.objectPath(path)]), .reply(2, [.objectPath(path)])])
    #expect(world.call("GetClient") == [.reply(3, [.objectPath(path)])])
    #expect(try world.client() == "\(GeoClueService.root)/Client/2")
    #expect(try world.client() == "\(GeoClueService.root)/Client/3")
  }

  @Test func `a program whose user the bus does not know gets no client`() {
    var world = World()
    _ = world.call("GetClient")
    let actions = world.service.identified(":1.1", as: nil)
    #expect(Self.error(actions) == "AccessDenied" && actions.last == .forget(":1.1"))
  }

  @Test func `a client's objects are for its own program alone`() throws {
    var world = World()
    let path = try world.active()
    _ = world.service.located(1, Self.location(1))
    for object in [path, "\(path)/Location/0"] {
      let name = object == path ? Interface.client.name : Interface.location.name
      for sender in [":1.1", ":1.2"] {
        let actions = world.call("GetAll", at: object, .properties, [.string(name)], from: sender)
        #expect(Self.error(actions) == (sender == ":1.1" ? nil : "AccessDenied"), "\(object) \(sender)")
      }
    }
    for member in ["Start", "Stop"] {
      #expect(Self.error(world.call(member, at: path, .client, from: ":1.2")) == "AccessDenied")
    }
    #expect(Self.error(world.call("DeleteClient", .manager, [.objectPath(path)], from: ":1.2")) == "AccessDenied")
  }

  @Test func `a start asks the daemon for the program's user, and without a desktop id nobody is asked`() throws {
    var world = World()
    let path = try world.client(uid: 1234)
    #expect(Self.error(world.call("Start", at: path, .client)) == "AccessDenied")
    _ = world.set("DesktopId", .string("map"), of: path)
    _ = world.set("RequestedAccuracyLevel", .uint32(8), of: path)
    #expect(world.call("Start", at: path, .client) == [.authorize(1, uid: 1234, desktopID: "map", .precise)])
    let first = world.number
    // A second start waits for the same answer.
    #expect(world.call("Start", at: path, .client) == [])
    #expect(try world.get("Active", of: path) == .boolean(false))
    let actions = world.service.decided(1, .granted)
    #expect(actions.contains(.reply(first, [])) && actions.contains(.reply(first + 1, [])))
    #expect(try world.get("Active", of: path) == .boolean(true))
    #expect(actions.contains { if case .follow(1, _) = $0 { true } else { false } })
    #expect(actions.contains(.changed(GeoClueService.managerPath, .manager, ["InUse": .boolean(true)], to: nil)))
  }

  @Test(arguments: [GeoClueService.Decision.denied("no"), .unreachable("no")])
  func `a start that is denied gets the reason, and leaves nothing`(decision: GeoClueService.Decision) throws {
    var world = World()
    let path = try world.client()
    _ = world.set("DesktopId", .string("map"), of: path)
    _ = world.call("Start", at: path, .client)
    let actions = world.service.decided(1, decision)
    #expect(Self.error(actions) == (decision == .denied("no") ? "AccessDenied" : "Failed"))
    #expect(actions.last == .release(1))
    #expect(try world.get("Active", of: path) == .boolean(false))
    // What comes late announces nothing.
    #expect(world.service.located(1, Self.location(1)).isEmpty)
  }

  @Test func `a location is announced with the one before it, and older ones are gone`() throws {
    var world = World()
    let path = try world.active()
    #expect(try world.get("Location", of: path) == .objectPath("/"))
    var old = "/"
    for number in 0..<3 {
      let new = "\(path)/Location/\(number)"
      let actions = world.service.located(1, Self.location(Double(number)))
      #expect(Self.announcements(actions) == [[.objectPath(old), .objectPath(new)]])
      #expect(try world.get("Location", of: path) == .objectPath(new))
      old = new
    }
    let read = { (number: Int, world: inout World) in
      world.call("GetAll", at: "\(path)/Location/\(number)", .properties, [.string(Interface.location.name)])
    }
    #expect(Self.error(read(0, &world)) == "UnknownObject")
    #expect(Self.error(read(1, &world)) == nil && Self.error(read(2, &world)) == nil)
  }

  @Test func `unknown values are GeoClue's`() {
    let values = Self.location(1, accuracy: nil).properties
    #expect(values["Altitude"] == .double(-1.7976931348623157e+308))
    #expect(values["Speed"] == .double(-1) && values["Heading"] == .double(-1) && values["Accuracy"] == .double(-1))
    #expect(values["Timestamp"] == .structure([.uint64(1_700_000_000), .uint64(123_000)]))
    #expect(Set(values.keys) == Set(Interface.location.properties.map(\.name)))
    for property in Interface.location.properties { #expect(values[property.name]?.signature == property.type) }
  }

  @Test func `a location within a threshold is not announced`() throws {
    var far = LocationNeed()
    far.distanceThreshold = 100
    var world = World()
    _ = try world.active(far)
    let steps: [(meters: Double, isAnnounced: Bool)] = [(0, true), (60, false), (99, false), (101, true), (150, false)]
    for (number, step) in steps.enumerated() {
      let actions = world.service.located(1, Self.location(Double(number), north: step.meters))
      #expect(Self.announcements(actions).count == (step.isAnnounced ? 1 : 0), "\(step)")
    }

    var rare = LocationNeed()
    rare.timeThreshold = 10
    world = World()
    _ = try world.active(rare)
    for (seconds, isAnnounced) in [(0, true), (9.4, false), (9.9, true), (19.3, false), (19.9, true)] {
      let actions = world.service.located(1, Self.location(seconds, north: seconds * 100))
      #expect(Self.announcements(actions).count == (isAnnounced ? 1 : 0), "\(seconds)")
    }
  }

  @Test func `a threshold that changes while active changes the subscription`() throws {
    var world = World()
    let path = try world.active()
    var need = LocationNeed()
    need.timeThreshold = 60
    let actions = world.set("TimeThreshold", .uint32(60), of: path)
    #expect(actions.contains(.follow(1, need)))
    #expect(need.subscription.minInterval == .seconds(60))
    // The same value again changes nothing.
    #expect(world.set("TimeThreshold", .uint32(60), of: path) == [.reply(world.number, [])])
  }

  @Test func `the subscription has the level's accuracy, and a city lets the receiver sleep`() {
    var need = LocationNeed()
    let levels: [(UInt32, RequestedLevel, AccuracyDemand, Precision)] = [
      (0, .none, .room, .precise), (1, .country, .city, .reduced), (4, .city, .city, .reduced),
      (5, .neighborhood, .neighborhood, .precise), (6, .street, .block, .precise), (7, .street, .block, .precise),
      (8, .exact, .room, .precise), (.max, .exact, .room, .precise),
    ]
    for (number, level, demand, precision) in levels {
      need.level = RequestedLevel(number: number)
      #expect(need.level == level && level.precision == precision)
      #expect(need.subscription.accuracy == demand)
      #expect(need.subscription.mode == (precision == .precise ? .continuous : .significant))
    }
    need.level = .city
    (need.distanceThreshold, need.timeThreshold) = (.max, .max)
    #expect(need.subscription.significantDistance == 1_000_000)
    #expect(need.subscription.significantInterval == .seconds(86_400))
  }

  @Test func `without permission the locations are gone, and it goes on when permission returns`() throws {
    var world = World()
    let path = try world.active()
    _ = world.service.located(1, Self.location(1))
    #expect(!world.service.suspended(1, true).isEmpty)
    #expect(try world.get("Active", of: path) == .boolean(false))
    #expect(try world.get("Location", of: path) == .objectPath("/"))
    let read = world.call("GetAll", at: "\(path)/Location/0", .properties, [.string(Interface.location.name)])
    #expect(Self.error(read) == "UnknownObject")
    #expect(world.service.located(1, Self.location(2)).isEmpty)
    #expect(!world.service.suspended(1, false).isEmpty)
    #expect(try world.get("Active", of: path) == .boolean(true))
    #expect(Self.announcements(world.service.located(1, Self.location(3))).count == 1)
  }

  @Test func `what is set without permission is followed when permission returns`() throws {
    var world = World()
    let path = try world.active()
    _ = world.service.suspended(1, true)
    // The daemon would refuse a new subscription.
    let set = world.set("TimeThreshold", .uint32(60), of: path)
    #expect(!set.contains { if case .follow = $0 { true } else { false } })
    var need = LocationNeed()
    need.timeThreshold = 60
    #expect(world.service.suspended(1, false).contains(.follow(1, need)))
    #expect(try world.get("Active", of: path) == .boolean(true))
    // Once.
    _ = world.service.suspended(1, true)
    #expect(!world.service.suspended(1, false).contains(.follow(1, need)))
  }

  @Test func `a location that its program may know no more is gone, and the program is notified`() throws {
    for precision in [Precision.reduced, nil] {
      var world = World()
      let path = try world.active()
      _ = world.service.permitted(1, .precise)
      for second in 0..<2 { _ = world.service.located(1, Self.location(Double(second))) }
      let actions = world.service.permitted(1, precision)
      #expect(actions == [.changed(path, .client, ["Location": .objectPath("/")], to: ":1.1")])
      #expect(try world.get("Location", of: path) == .objectPath("/"))
      for number in 0..<2 {
        let read = world.call(
          "GetAll", at: "\(path)/Location/\(number)", .properties, [.string(Interface.location.name)])
        #expect(Self.error(read) == "UnknownObject")
      }
      // The next one is announced whatever the thresholds say, and a reduced one outlives a second notification.
      var reduced = Self.location(3).fix
      reduced.isReduced = true
      let location = Location(fix: reduced, time: Timestamp(milliseconds: 1_700_000_000_123))
      #expect(Self.announcements(world.service.located(1, location)).count == 1)
      #expect(world.service.permitted(1, .reduced).isEmpty)
      #expect(try world.get("Location", of: path) == .objectPath("\(path)/Location/2"))
    }
  }

  @Test func `after a stop nothing that was announced can be read`() throws {
    var world = World()
    let path = try world.active()
    _ = world.service.located(1, Self.location(1))
    _ = world.call("Stop", at: path, .client)
    #expect(try world.get("Location", of: path) == .objectPath("/"))
    let read = world.call("GetAll", at: "\(path)/Location/0", .properties, [.string(Interface.location.name)])
    #expect(Self.error(read) == "UnknownObject")
  }

  @Test func `stop, deletion and the program's end release the receiver`() throws {
    for end in ["stop", "delete", "vanish"] {
      var world = World()
      let path = try world.active()
      let actions =
        switch end {
        case "stop": world.call("Stop", at: path, .client)
        case "delete": world.call("DeleteClient", .manager, [.objectPath(path)])
        default: world.service.vanished(":1.1")
        }
      #expect(actions.contains(.release(1)), "\(end)")
      #expect(
        actions.contains(.changed(GeoClueService.managerPath, .manager, ["InUse": .boolean(false)], to: nil)), "\(end)")
      // A stopped client can be started again, the others are gone.
      #expect(Self.error(world.call("Start", at: path, .client)) == (end == "stop" ? nil : "UnknownObject"), "\(end)")
    }
  }

  @Test func `a stop answers the starts that wait`() throws {
    var world = World()
    let path = try world.client()
    _ = world.set("DesktopId", .string("map"), of: path)
    _ = world.call("Start", at: path, .client)
    let start = world.number
    let actions = world.call("Stop", at: path, .client)
    #expect(actions.contains(.release(1)) && actions.contains(.reply(world.number, [])))
    #expect(actions.contains { if case .fail(start, _) = $0 { true } else { false } })
    // The daemon's answer comes too late.
    #expect(world.service.decided(1, .granted).isEmpty)
  }

  @Test func `a user's programs together have a limited number of clients, and other users have theirs`() throws {
    var world = World()
    for number in 0..<GeoClueService.maxClientsPerUser { _ = try world.client(of: ":1.\(1 + number % 4)") }
    #expect(Self.error(world.call("CreateClient")) == "LimitsExceeded")
    #expect(throws: Never.self) { try world.client(of: ":1.9", uid: 1001) }
    _ = world.service.vanished(":1.2")
    #expect(throws: Never.self) { try world.client() }
  }

  @Test func `the subordinate numbers of a user share one limit of clients`() throws {
    var service = GeoClueService()
    func create(_ number: Int) -> [GeoClueService.Action] {
      let call = GeoClueService.Call(
        number: UInt64(number), sender: ":1.\(number)", path: GeoClueService.managerPath, interface: "",
        member: "CreateClient", arguments: [])
      return service.called(call)
        + service.identified(":1.\(number)", as: UInt32(165_536 + number), countedAs: 165_536)
    }
    for number in 0..<GeoClueService.maxClientsPerUser { #expect(Self.error(create(number)) == nil) }
    #expect(Self.error(create(GeoClueService.maxClientsPerUser)) == "LimitsExceeded")
  }

  @Test func `waiting calls of one program are limited`() {
    var world = World()
    for _ in 0..<GeoClueService.maxWaitingCalls { _ = world.call("GetClient") }
    #expect(Self.error(world.call("GetClient")) == "LimitsExceeded")
    #expect(world.service.vanished(":1.1").count == GeoClueService.maxWaitingCalls + 1)
  }

  @Test func `a call that does not fit gets an error, whatever it is`() throws {
    var world = World()
    let path = try world.client()
    let client = BusValue.string(Interface.client.name)
    let cases: [(String, [GeoClueService.Action])] = [
      ("UnknownObject", world.call("Start", at: "/org/freedesktop/GeoClue2/Client/77", .client)),
      ("UnknownObject", world.call("Start", at: "\(path)/", .client)),
      ("UnknownObject", world.call("Start", at: "/org/freedesktop/GeoClue2/Client/+1", .client)),
      ("UnknownInterface", world.call("Start", at: path, .manager)),
      ("UnknownMethod", world.call("Begin", at: path, .client)),
      ("InvalidArgs", world.call("Start", at: path, .client, [.uint32(1)])),
      ("InvalidArgs", world.call("Start", at: path, .client, nil)),
      ("InvalidArgs", world.call("DeleteClient", .manager, [.objectPath(GeoClueService.managerPath)])),
      ("NotSupported", world.call("AddAgent", .manager, [.string("gnome-shell")])),
      ("UnknownProperty", world.call("Get", at: path, .properties, [client, .string("Colour")])),
      ("UnknownInterface", world.call("GetAll", at: path, .properties, [.string("org.example")])),
      ("PropertyReadOnly", world.set("Active", .boolean(true), of: path)),
      ("InvalidArgs", world.set("DesktopId", .uint32(1), of: path)),
    ]
    for (number, one) in cases.enumerated() { #expect(Self.error(one.1) == one.0, "\(number): \(one.1)") }
  }

  @Test func `a long desktop id is shown as far as the daemon takes it`() throws {
    var world = World()
    let path = try world.client()
    _ = world.set("DesktopId", .string(String(repeating: "ü", count: 40)), of: path)
    let actions = world.call("Start", at: path, .client)
    #expect(
      actions == [
        .authorize(1, uid: 1000, desktopID: String(repeating: "ü", count: 32), RequestedLevel.exact.precision)
      ])
  }

  @Test func `the available accuracy is asked of the daemon, once for all who wait`() {
    var world = World()
    let arguments: [BusValue] = [.string(Interface.manager.name), .string("AvailableAccuracyLevel")]
    #expect(world.call("Get", .properties, arguments) == [.assess])
    #expect(world.call("GetAll", .properties, [.string(Interface.manager.name)]) == [])
    #expect(
      world.service.assessed(.exact) == [
        .reply(1, [.variant(.uint32(8))]),
        .reply(2, [.properties(["InUse": .boolean(false), "AvailableAccuracyLevel": .uint32(8)])]),
      ])
  }

  @Test func `introspection describes the interfaces that GeoClue installs`() throws {
    let folder = "/usr/share/dbus-1/interfaces"
    for interface in [Interface.manager, .client, .location] {
      let installed = String(decoding: try File.read("\(folder)/\(interface.name).xml"), as: UTF8.self)
      #expect(Self.members(Interface.document([interface])) == Self.members(installed), "\(interface.name)")
    }
  }

  /// The attributes of all members and arguments of a description, in any order of attributes.
  private static func members(_ document: String) -> Set<String> {
    let text = document.replacing(/<!--[\s\S]*?-->/, with: "")
    var context = ""
    var members: Set<String> = []
    for match in text.matches(of: /<(method|signal|property|arg)\s([^>]*?)\/?>/) {
      let attributes = match.output.2.matches(of: /(\w+)="([^"]*)"/).map { "\($0.output.1)=\($0.output.2)" }.sorted()
      if match.output.1 != "arg" { context = "\(match.output.1) \(attributes)" }
      members.insert(match.output.1 == "arg" ? "\(context) arg \(attributes)" : context)
    }
    return members
  }
}

extension GeoClueServiceTests.World {
  fileprivate mutating func call(
    _ member: String, _ interface: Interface, _ arguments: [BusValue], from sender: String = ":1.1"
  ) -> [GeoClueService.Action] {
    self.call(member, at: GeoClueService.managerPath, interface, arguments, from: sender)
  }
}
