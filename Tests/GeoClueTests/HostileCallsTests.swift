import Positioning
import Systemd
import TestSupport
import Testing

@testable import GeoClue

/// Calls that nobody limits but the service itself.
struct HostileCallsTests {
  /// Programs of several users that call anything in any order, a bus and a daemon that answer late or never.
  private struct World {
    var service = GeoClueService()
    var random: SeededRandom
    /// The caller of each call without an answer so far.
    var open: [GeoClueService.CallNumber: String] = [:]
    var last: GeoClueService.CallNumber = 0
    /// What the bus and the daemon are to do.
    var identifying: Set<String> = []
    var authorizing: Set<GeoClueService.ClientNumber> = []
    var following: Set<GeoClueService.ClientNumber> = []
    var isAssessing = false
    var started = 0
    /// Who was given which client.
    var owners: [String: String] = [:]

    static let programs = (1...12).map { ":1.\($0)" }
    static let members = [
      "GetClient", "CreateClient", "DeleteClient", "AddAgent", "Start", "Stop", "Get", "GetAll", "Set", "Introspect",
      "",
    ]
    static let interfaces: [Interface] = [.manager, .client, .location, .properties, .introspectable]
    static let properties = Interface.client.properties + Interface.manager.properties

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
      choices[Int.random(in: 0..<choices.count, using: &self.random)]
    }

    mutating func value() -> BusValue {
      self.pick([
        .boolean(true), .int32(-1), .uint32(0), .uint32(.max), .uint64(.max), .double(.nan), .double(-1), .string(""),
        .string("map"), .string(String(repeating: "\u{301}", count: 200)), .objectPath("/"), .structure([]),
        .strings([]), .properties([:]), .variant(.variant(.uint32(1))),
      ])
    }

    mutating func call() {
      let sender = self.pick(Self.programs)
      let clients = self.owners.keys.sorted()
      let member = self.pick(Self.members)
      // Half of the calls are to an object of the caller.
      let own = clients.filter { self.owners[$0] == sender }
      let anything = [GeoClueService.managerPath, GeoClueService.root, "/"] + clients
      let path = Bool.random(using: &self.random) && !own.isEmpty ? self.pick(own) : self.pick(anything)
      let isManaging = ["GetClient", "CreateClient", "DeleteClient"].contains(member)
      let name = BusValue.string(self.pick([.client] + Self.interfaces).name)
      let property = BusValue.string(self.pick(Self.properties).name)
      let value = self.value()
      let fitting: [BusValue] =
        switch member {
        case "DeleteClient": [.objectPath(path)]
        case "AddAgent": [.string("agent")]
        case "Get": [name, property]
        case "GetAll": [name]
        case "Set": [name, property, .variant(value)]
        default: []
        }
      let isFitting = Int.random(in: 0..<5, using: &self.random) > 0
      self.last += 1
      self.open[self.last] = sender
      self.take(
        self.service.called(
          GeoClueService.Call(
            number: self.last, sender: sender, path: isManaging ? GeoClueService.managerPath : path,
            interface: self.pick(["", "", "", "", ""] + Self.interfaces.map(\.name)), member: member,
            arguments: isFitting ? fitting : self.pick([nil, [value], [value, self.value()]]))))
    }

    mutating func happen() {
      switch Int.random(in: 0..<9, using: &self.random) {
      case 0: self.identify()
      case 1:
        guard let client = self.authorizing.sorted().first else { return }
        self.authorizing.remove(client)
        self.take(self.service.decided(client, self.pick([.granted, .granted, .denied("no"), .unreachable("no")])))
      case 2:
        guard let client = self.following.sorted().first else { return }
        self.take(self.service.suspended(client, self.pick([true, false])))
      case 3:
        guard let client = self.following.sorted().last else { return }
        let fix = Fix(latitude: 48, longitude: 11, arrival: .boot + .seconds(Double(self.last)))
        self.take(self.service.located(client, Location(fix: fix, time: Timestamp(milliseconds: 0))))
      case 4 where self.isAssessing:
        self.isAssessing = false
        self.take(self.service.assessed(.exact))
      case 5: self.start()
      case 6 where self.last % 40 == 0: self.take(self.service.vanished(self.pick(Self.programs)))
      default: self.call()
      }
    }

    /// A program starts a client as it should.
    mutating func start() {
      guard !self.owners.isEmpty else { return }
      let path = self.pick(self.owners.keys.sorted())
      let id: [BusValue] = [.string(Interface.client.name), .string("DesktopId"), .variant(.string("map"))]
      self.call(path, from: self.owners[path] ?? "", .properties, "Set", id)
      self.call(path, from: self.owners[path] ?? "", .client, "Start", [])
    }

    mutating func call(
      _ path: String, from sender: String, _ interface: Interface, _ member: String, _ values: [BusValue]
    ) {
      self.last += 1
      self.open[self.last] = sender
      self.take(
        self.service.called(
          HostileCallsTests.call(self.last, from: sender, at: path, interface, member, values)))
    }

    mutating func identify() {
      guard let sender = self.identifying.sorted().first else { return }
      self.identifying.remove(sender)
      let uid = sender.utf8.last.map { UInt32($0 % 3) }
      self.take(self.service.identified(sender, as: self.last % 9 == 0 ? nil : uid))
    }

    mutating func take(_ actions: [GeoClueService.Action]) {
      for action in actions {
        switch action {
        case .reply(let number, let values):
          let sender = self.open.removeValue(forKey: number)
          #expect(sender != nil, "a second answer to \(number)")
          if case .objectPath(let path)? = values.first, values.count == 1 {
            #expect(self.owners[path, default: sender ?? ""] == sender, "\(path) is another's")
            self.owners[path] = sender
          }
        case .fail(let number, let error):
          #expect(self.open.removeValue(forKey: number) != nil, "a second answer to \(number)")
          #expect(!error.message.isEmpty && error.message.utf8.count < 200)
        case .identify(let sender): #expect(self.identifying.insert(sender).inserted)
        case .forget(let sender): self.identifying.remove(sender)
        case .authorize(let client, _, let name, _):
          #expect(name.utf8.count <= 64 && !name.isEmpty)
          #expect(self.authorizing.insert(client).inserted)
        case .follow(let client, _):
          self.started += self.following.insert(client).inserted ? 1 : 0
        case .release(let client):
          self.authorizing.remove(client)
          self.following.remove(client)
        case .assess:
          #expect(!self.isAssessing)
          self.isAssessing = true
        case .signal(let path, _, _, _, let destination):
          if let destination { #expect(self.owners[path] == destination, "\(path)") }
        }
      }
    }

    /// The bus and the daemon answer everything.
    mutating func settle() {
      while !self.identifying.isEmpty { self.identify() }
      for client in self.authorizing.sorted() { self.take(self.service.decided(client, .granted)) }
      if self.isAssessing { self.take(self.service.assessed(.none)) }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `random calls are answered once each, and objects are shown to their own program alone`(seed: UInt64) {
    var world = World(random: SeededRandom(seed: seed))
    for _ in 0..<3000 { world.happen() }
    world.settle()
    #expect(world.open.isEmpty)
    #expect(world.owners.count > 20 && world.started > 20)
    #expect(world.following.count <= 3 * GeoClueService.maxClientsPerUser)
    // Everybody leaves, and nothing is followed any more.
    for program in World.programs { world.take(world.service.vanished(program)) }
    #expect(world.following.isEmpty && world.identifying.isEmpty)
  }

  private static func call(
    _ number: GeoClueService.CallNumber, from sender: String = ":1.1", at path: String = GeoClueService.managerPath,
    _ interface: Interface, _ member: String, _ arguments: [BusValue]?
  ) -> GeoClueService.Call {
    GeoClueService.Call(
      number: number, sender: sender, path: path, interface: interface.name, member: member, arguments: arguments)
  }

  private static func isRefused(_ actions: [GeoClueService.Action]) -> Bool {
    actions.contains { if case .fail(_, let error) = $0 { error.name.hasSuffix(".LimitsExceeded") } else { false } }
  }

  @Test func `calls that wait for the available accuracy are limited, for one program and for all`() {
    var service = GeoClueService()
    var number: GeoClueService.CallNumber = 0
    let ask = { (sender: String, service: inout GeoClueService) in
      number += 1
      return service.called(
        Self.call(number, from: sender, .properties, "GetAll", [.string(Interface.manager.name)]))
    }
    for _ in 0..<GeoClueService.maxWaitingCalls { #expect(!Self.isRefused(ask(":1.1", &service))) }
    #expect(Self.isRefused(ask(":1.1", &service)))
    for program in GeoClueService.maxWaitingCalls..<GeoClueService.maxAssessments {
      #expect(!Self.isRefused(ask(":2.\(program)", &service)))
    }
    #expect(Self.isRefused(ask(":1.2", &service)))
    #expect(service.assessed(.exact).count == GeoClueService.maxAssessments)
    #expect(ask(":1.1", &service) == [.assess])
  }

  @Test func `a desktop id of the limit is taken, and one byte more is refused and changes nothing`() throws {
    var service = GeoClueService()
    _ = service.called(Self.call(1, .manager, "GetClient", []))
    _ = service.identified(":1.1", as: 1000)
    let path = "\(GeoClueService.root)/Client/1"
    let set = { (length: Int, service: inout GeoClueService) in
      let id = BusValue.variant(.string(String(repeating: "a", count: length)))
      return service.called(
        Self.call(2, at: path, .properties, "Set", [.string(Interface.client.name), .string("DesktopId"), id]))
    }
    #expect(!Self.isRefused(set(GeoClueService.longestDesktopID, &service)))
    #expect(Self.isRefused(set(GeoClueService.longestDesktopID + 1, &service)))
    let name = String(repeating: "a", count: 64)
    #expect(
      service.called(Self.call(3, at: path, .client, "Start", []))
        == [.authorize(1, uid: 1000, desktopID: name, .precise)])
  }

  @Test func `the name that is shown is cut within a character, if that is longer than the limit`() {
    var service = GeoClueService()
    _ = service.called(Self.call(1, .manager, "GetClient", []))
    _ = service.identified(":1.1", as: 1000)
    let path = "\(GeoClueService.root)/Client/1"
    let text = "a" + String(repeating: "\u{301}", count: 100)
    _ = service.called(
      Self.call(
        2, at: path, .properties, "Set",
        [.string(Interface.client.name), .string("DesktopId"), .variant(.string(text))]))
    let actions = service.called(Self.call(3, at: path, .client, "Start", []))
    #expect(
      actions
        == [.authorize(1, uid: 1000, desktopID: "a" + String(repeating: "\u{301}", count: 31), .precise)])
  }
}
