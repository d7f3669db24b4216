import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import ReceiverPorts
import Server
import TestSupport
import Testing

/// docs/permission.md: "After it no coordinate is sent that the client may no longer know, queued ones included, and every
/// request still gets its one answer." Held at every door, for every way to lose a permission.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct LostPermissionTests {
  enum Loss: CaseIterable {
    /// `positionctl auth grant USER --deny`.
    case denial
    /// The same with less precision.
    case reduction
    /// Rules that are read again.
    case denyingRule, reducingRule
    case masterSwitch
    /// A person's answer for the connections that waited: those have ended, or a rule denies.
    case onceAndLeft, onceAndRule

    var isOnce: Bool { self == .onceAndLeft || self == .onceAndRule }

    /// Whether the reduced position may still be known.
    var leavesReduced: Bool { self == .reduction || self == .reducingRule }
  }

  @Test("a client that reads everything, and a later one", arguments: Door.allCases, Loss.allCases)
  func cached(door: Door, loss: Loss) async throws {
    try await onOwnThread {
      let world = try LossWorld(loss)
      var clients = [try world.client(at: door)]
      if door == .nmea, loss.isOnce {
        // Nobody is asked for a client of this door.
        return #expect(try clients[0].untilClosed().isEmpty)
      }
      try world.begin(clients[0], at: door)
      if loss == .onceAndLeft { clients = [] }
      try world.lose()
      if door == .nmea { return try Self.checkNMEA(clients[0]) }
      clients.append(try world.client(at: door))
      if door == .gpsd { try clients.last?.send(raw: LossWorld.watch) }
      for (place, client) in clients.enumerated() {
        let isLater = place > 0 || loss == .onceAndLeft
        try door == .gpsd ? Self.checkGpsd(client, world) : Self.checkRPC(client, world, isLater: isLater)
      }
    }
  }

  /// A sentence cannot say that a position is reduced, so the connection ends.
  private static func checkNMEA(_ reader: LineClient) throws {
    #expect(throws: LineClient.EndOfStream.self) {
      while true {
        let line = try reader.textLine("the end")
        #expect(!line.contains(",N,"), "\(line)")
      }
    }
  }

  /// Asks everything that this door answers.
  private static func checkGpsd(_ client: LineClient, _ world: LossWorld) throws {
    let requests = ["?POLL;", "?DEVICES;", "?DEVICE;", "?WATCH;", LossWorld.watch, "?POLL;"]
    for request in requests { try client.send(raw: request) }
    world.server.fix(latitude: 48.0002)
    world.server.sky()
    world.server.attitude()
    try client.send(raw: "?POLL;?VERSION;")
    var polls = 0
    while true {
      let message = try client.next(what: "message")
      if message["class"] == "VERSION" { break }
      if message["class"] == "POLL" { polls += 1 }
      let above = GpsdDisclosure.isAbove(message, leavesReduced: world.loss.leavesReduced)
      #expect(!above, "\(world.loss): \(message)")
    }
    #expect(polls == 3)
  }

  /// - Parameter isLater: Whether it has come after the loss. What an earlier one got before it was notified of the loss
  ///   was sent while it was allowed.
  private static func checkRPC(_ client: LineClient, _ world: LossWorld, isLater: Bool) throws {
    let allowed: Set<Disclosure> = world.loss.leavesReduced ? [.rough] : []
    world.server.fix(latitude: 48.0002)
    for (method, params) in PermissionMatrixTests.requests where !method.hasPrefix("admin.") {
      let reply = try client.reply(to: try client.request(method, params))
      if method == DiscoverRequest.method { continue }
      let disclosed = Disclosure.all(in: reply)
      #expect(disclosed.isSubset(of: allowed), "\(world.loss): \(method) discloses \(disclosed): \(reply)")
    }
    world.server.fix(latitude: 48.0003)
    world.server.sky()
    world.server.attitude()
    _ = try client.call("request.list")
    var isNotified = isLater
    while let message = client.unreadMessage() {
      if message["method"] == "authorization.changed" { isNotified = true }
      let disclosed = Disclosure.all(in: message)
      #expect(!isNotified || disclosed.isSubset(of: allowed), "\(world.loss): \(disclosed) in \(message)")
    }
    #expect(isNotified, "\(world.loss)")
  }

  @Test(
    "a client of gpsd's protocol that reads nothing, with polls that wait",
    arguments: Loss.allCases.filter { $0 != .onceAndLeft })
  func queued(loss: Loss) async throws {
    try await onOwnThread {
      let world = try LossWorld(loss)
      let client = try world.client(at: .gpsd)
      try world.begin(client, at: .gpsd)
      // What one answer takes.
      try client.send(raw: "?POLL;\n")
      let size = try client.next(what: "answer") { $0["class"] == "POLL" }.encoded().count
      let request = Array("?POLL;\n".utf8)
      var sent = 0
      // More than the kernel's buffers take.
      while world.server.outboundBytes < LossWorld.maxOutbound / 2 {
        sent += client.offer(Array(repeating: request, count: 100).flatMap { $0 })
      }
      let waiting = world.server.outboundBytes
      try world.lose()
      let asked = sent / request.count
      var above = 0
      for _ in 0..<asked {
        let answer = try client.next(what: "answer") { $0["class"] == "POLL" }
        if GpsdDisclosure.isAbove(answer, leavesReduced: loss.leavesReduced) { above += 1 }
      }
      // Those that waited reveal nothing any more, except one of which a part was sent.
      #expect(above > 0 && above <= asked - waiting / (size + 8) + 1, "\(above) of \(asked), \(waiting) bytes waited")
    }
  }
}

/// How much of the position a message of gpsd's protocol discloses.
private enum GpsdDisclosure {
  static func isAbove(_ value: JSONValue, leavesReduced: Bool) -> Bool {
    switch value {
    case .object(let members):
      if members["class"] == "ATT" || ![nil, []].contains(members["satellites"]) { return true }
      let isRough = leavesReduced && members["mode"] == 2 && members["speed"] == nil && members["epv"] == nil
      if members["lat"] != nil, !isRough || members["lat"] == 48.0001 { return true }
      return members.values.contains { self.isAbove($0, leavesReduced: leavesReduced) }
    case .array(let values): return values.contains { self.isAbove($0, leavesReduced: leavesReduced) }
    case .null, .boolean, .integer, .number, .string: return false
    }
  }
}

/// A server with an administrator, and a user that may know the precise position until it is taken away.
private final class LossWorld {
  static let maxOutbound = 64 * 1024
  static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"
  /// A user that every system has, because decisions belong to a name and a number.
  private static let user = "daemon"
  private static let uid: UInt32 = 1

  let loss: LostPermissionTests.Loss
  let server: LiveServer
  private let administrator: LineClient
  private var agent: LineClient?
  private let settings: BrokerSettings

  init(_ loss: LostPermissionTests.Loss) throws {
    self.loss = loss
    var settings = BrokerSettings()
    var agent = AccessRule(name: "agent")
    (agent.user, agent.agent) = ("bin", .all)
    settings.access.rules = [agent]
    var stored = StoredState()
    if loss.isOnce {
      settings.access.fallback = .ask
    } else if loss == .denyingRule || loss == .reducingRule {
      settings.access.rules.append(Self.rule(.always))
    } else {
      stored.decisions[Self.uid] = Decision(user: Self.user, level: .always, at: Instant(sinceBoot: .zero))
    }
    self.settings = settings
    var limits = ServerLimits()
    limits.maxOutbound = Self.maxOutbound
    self.server = try LiveServer(
      limits: limits, broker: settings, stored: stored,
      principals: LiveServer.Principals { number in
        switch number {
        case 1: Principal(uid: 0, gid: 0, pid: 1, user: "root")
        case 2: Principal(uid: 2, gid: 2, pid: 2, user: "bin")
        default: Principal(uid: Self.uid, gid: 1, pid: 3, user: Self.user)
        }
      })
    self.administrator = try self.server.client()
    _ = try self.administrator.call("request.list")
    let client = try self.server.client()
    _ = try client.call(loss.isOnce ? "agent.register" : "request.list")
    self.agent = client
  }

  private static func rule(_ grant: GrantedLevel, _ precision: Precision = .precise) -> AccessRule {
    var rule = AccessRule(name: "daemon")
    (rule.user, rule.grant, rule.precision) = (Self.user, grant, precision)
    return rule
  }

  func client(at door: Door) throws -> LineClient {
    switch door {
    case .rpc: return try self.server.client()
    case .nmea: return try self.server.nmeaReader()
    case .gpsd:
      let client = try self.server.gpsdClient()
      _ = try client.next(what: "greeting") { $0["class"] == "VERSION" }
      return client
    }
  }

  /// The client gets the precise position, and reads all that it is sent.
  func begin(_ client: LineClient, at door: Door) throws {
    switch door {
    case .nmea:
      _ = try client.textLine("void sentence") { $0.hasPrefix("$GNVTG") }
      self.publish()
      _ = try client.textLine("fix") { $0.hasPrefix("$GNGGA") && $0.contains(",N,") }
      _ = try client.textLine("its last sentence") { $0.hasPrefix("$GNVTG") }
      return
    case .gpsd:
      try client.send(raw: Self.watch)
      try self.allowOnce()
      _ = try client.next(what: "no fix") { $0["class"] == "TPV" }
      self.publish()
      _ = try client.next(what: "fix") { $0["lat"] == 48.0001 }
      for name in ["SKY", "ATT"] as [JSONValue] { _ = try client.next(what: "\(name)") { $0["class"] == name } }
    case .rpc:
      let first = try client.request("position.subscribe", ["replay": "any", "minInterval": 0])
      try self.allowOnce()
      _ = try client.reply(to: first)
      for method in ["sky.subscribe", "heading.subscribe", "status.subscribe"] { _ = try client.call(method) }
      self.publish()
      _ = try client.next(what: "fix") { $0["params"]?["fix"]?["latitude"] == 48.0001 }
      _ = try client.call("request.list")
    }
    while client.unreadMessage() != nil {}
  }

  private func publish() {
    self.server.fix(latitude: 48.0001)
    self.server.sky()
    self.server.attitude()
  }

  private func allowOnce() throws {
    guard self.loss.isOnce, let agent else { return }
    let id = try agent.next(what: "prompt") { $0["method"] == "agent.authorize" }["id"] ?? .null
    let answer: JSONValue = [
      "jsonrpc": "2.0", "id": id, "result": ["decision": "allow", "level": "always", "remember": false],
    ]
    try agent.send(bytes: answer.encoded() + Array("\n".utf8))
  }

  func lose() throws {
    switch self.loss {
    case .denial: try self.grant(["level": "deny"])
    case .reduction: try self.grant(["level": "always", "precision": "reduced"])
    case .denyingRule, .onceAndRule: self.change(to: Self.rule(.deny))
    case .reducingRule: self.change(to: Self.rule(.always, .reduced))
    case .masterSwitch: _ = try self.administrator.call("admin.disable")
    case .onceAndLeft:
      // Nobody is there to be asked again.
      self.agent = nil
      while try self.administrator.call("status.get")["clients"] != 1 {}
    }
    // All that follows is done.
    _ = self.server.outboundBytes
  }

  private func grant(_ decision: [String: JSONValue]) throws {
    _ = try self.administrator.call("admin.grant", decision.merging(["user": .string(Self.user)]) { $1 })
  }

  private func change(to rule: AccessRule) {
    var settings = self.settings
    settings.access.rules.removeAll { $0.user == Self.user }
    settings.access.rules.append(rule)
    self.server.change(settings)
  }
}
