import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import Broker
@testable import Server

/// Every method and every notification for every client: what each may contain.
///
/// A new message without a row here fails the tests.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct PermissionMatrixTests {
  /// The requirement of a message.
  private enum Kind {
    /// Every client is answered, without anything of the position.
    case open
    /// The position, with the granted precision.
    case position
    /// The same with `always`.
    case durable
    /// For precise clients only.
    case precise
    case preciseDurable
    case administrator
    case agent
  }

  private struct Row {
    let params: [String: JSONValue]
    let kind: Kind

    init(_ kind: Kind, _ params: [String: JSONValue] = [:]) {
      self.kind = kind
      self.params = params
    }

    /// The error for a client with that authorization; `nil`: none, or one that does not concern permission.
    func refusal(_ authorization: AuthorizationCase) -> Int? {
      switch self.kind {
      case .open: return nil
      case .administrator, .agent: return -32002
      case .position: return authorization.refusal
      case .precise: return authorization.refusal ?? (authorization.isReduced ? -32005 : nil)
      case .durable: return authorization.refusal ?? (authorization.isAlways ? nil : -32002)
      case .preciseDurable:
        return authorization.refusal ?? (authorization.isAlways ? authorization.isReduced ? -32005 : nil : -32002)
      }
    }
  }

  private static let circle: JSONValue = ["latitude": 48, "longitude": 11, "radius": 9000]
  private static let log: JSONValue = ["name": "log"]

  /// In the order of the requests: later ones refer to earlier ones.
  private static let rows: [(String, Row)] = [
    ("session.hello", Row(.open, ["name": "matrix"])),
    ("rpc.discover", Row(.open)),
    ("authorization.get", Row(.open)),
    ("authorization.request", Row(.open, ["level": "always", "force": true])),
    ("agent.register", Row(.agent)),
    ("position.get", Row(.position, ["timeout": 5])),
    ("position.last", Row(.position)),
    ("position.subscribe", Row(.position, ["replay": "any", "minInterval": 0, "accuracy": "city"])),
    ("subscription.acquire", Row(.position, ["subscription": 1])),
    ("subscription.update", Row(.open, ["subscription": 1, "minInterval": 0])),
    ("subscription.pause", Row(.open, ["subscription": 1])),
    ("subscription.resume", Row(.open, ["subscription": 1])),
    ("subscription.flush", Row(.open, ["subscription": 1])),
    ("subscription.list", Row(.open)),
    ("subscription.cancel", Row(.open, ["subscription": 77])),
    ("request.list", Row(.open)),
    ("request.complete", Row(.open, ["request": 999])),
    ("request.cancel", Row(.open, ["request": 999])),
    ("sky.get", Row(.precise)),
    ("sky.subscribe", Row(.precise)),
    ("heading.get", Row(.precise, ["timeout": 5])),
    ("heading.subscribe", Row(.precise)),
    ("visit.subscribe", Row(.precise)),
    ("region.add", Row(.position, ["id": "home", "circle": circle, "initial": "always"])),
    ("region.state", Row(.position, ["id": "home"])),
    ("region.list", Row(.open)),
    ("durable.attach", Row(.durable, ["name": "log"])),
    ("durable.list", Row(.open)),
    ("durable.acknowledge", Row(.open, ["name": "log", "event": 0])),
    ("time.get", Row(.open)),
    ("status.get", Row(.open)),
    ("status.subscribe", Row(.open)),
    ("admin.clients", Row(.administrator)),
    ("admin.grants", Row(.administrator)),
    ("admin.grant", Row(.administrator, ["user": "root", "level": "always"])),
    ("admin.revoke", Row(.administrator, ["user": "root"])),
    ("admin.enable", Row(.administrator)),
    ("admin.disable", Row(.administrator)),
    ("region.remove", Row(.open, ["id": "home"])),
    ("durable.remove", Row(.open, ["name": "log"])),
  ]

  /// The same methods with parameters that require more than the rows above.
  private static let variants: [(String, Row)] = [
    ("position.get", Row(.precise, ["accuracy": "house", "timeout": 5])),
    ("position.subscribe", Row(.durable, ["mode": "significant", "durable": log])),
    ("visit.subscribe", Row(.preciseDurable, ["durable": log])),
    ("region.add", Row(.durable, ["id": "far", "circle": circle, "durable": log])),
    ("region.add", Row(.precise, ["id": "near", "circle": ["latitude": 48, "longitude": 11, "radius": 100]])),
    ("region.state", Row(.position, ["id": "far", "durable": log])),
    ("region.list", Row(.open, ["durable": log])),
    ("durable.attach", Row(.durable, ["name": "log"])),
    ("durable.list", Row(.open)),
    ("subscription.list", Row(.open)),
  ]

  /// A request of each method, and some that ask for more.
  static var requests: [(String, [String: JSONValue])] { (self.rows + self.variants).map { ($0.0, $0.1.params) } }

  @Test("Every method has a row")
  func rowsForMethods() {
    #expect(Set(Self.rows.map(\.0)) == Set(PositionMethods.server.requests.map { $0.method }))
    #expect(Set(Self.notifications.map(\.0)) == Set(PositionMethods.client.notifications.map { $0.method }))
  }

  @Test(
    "Each method is answered or denied by the client's authorization, and discloses no more than that allows",
    arguments: AuthorizationCase.allCases)
  func requests(authorization: AuthorizationCase) async throws {
    try await onOwnThread { try Self.ask(authorization) }
  }

  private static func ask(_ authorization: AuthorizationCase) throws {
    let server = try LiveServer(authorization: authorization)
    // There is data of every kind.
    server.fix(latitude: 48)
    server.sky()
    server.attitude()
    let client = try server.client()
    var disclosed: [String: Set<Disclosure>] = [:]
    for (method, row) in self.rows + self.variants {
      // However slow the machine is, there is a heading and a sky when it is requested.
      if method.hasPrefix("heading") { server.attitude() }
      if method.hasPrefix("sky") { server.sky() }
      let id = try client.request(method, row.params)
      let reply = try client.reply(to: id)
      let code = reply["error"]?["code"]
      if let refusal = row.refusal(authorization) {
        #expect(code == .integer(refusal), "\(authorization.rawValue): \(method) \(row.params): \(reply)")
      } else {
        // Not found, or in the wrong state: not about permission.
        let isRefused = [-32001, -32002, -32003, -32004, -32005].contains { code == .integer($0) }
        #expect(!isRefused, "\(authorization.rawValue): \(method) \(row.params): \(reply)")
      }
      // The examples of the self-description are not those of a device.
      if method != DiscoverRequest.method { disclosed[method, default: []].formUnion(Disclosure.all(in: reply)) }
    }
    server.fix(latitude: 49)
    server.sky()
    server.attitude()
    _ = try client.call("request.list")
    while let message = client.unreadMessage() {
      guard case .string(let method)? = message["method"] else { continue }
      disclosed[method, default: []].formUnion(Disclosure.all(in: message))
    }
    for (method, disclosures) in disclosed {
      #expect(
        disclosures.isSubset(of: authorization.allowed), "\(authorization.rawValue): \(method) discloses \(disclosures)"
      )
    }
    // Permitted data is disclosed, or this would show nothing.
    let last = disclosed["position.last"] ?? []
    #expect(last == (authorization.refusal != nil ? [] : authorization.isReduced ? [.rough] : [.fine]))
    if authorization == .alwaysPrecise {
      for method in ["sky.get", "heading.get", "position.get", "position.update", "status.get"] {
        #expect(disclosed[method]?.contains(.fine) == true, "\(method) discloses nothing")
      }
    }
  }

  // MARK: Notifications

  private static let id = SubscriptionID(client: ClientID(1), number: 1)

  private static func fix(_ isReduced: Bool) -> Fix {
    var fix = Fix(latitude: 48, longitude: 11, horizontalAccuracy: 2000, arrival: Clocks.system.sinceBoot())
    (fix.mode, fix.isReduced) = (.twoDimensional, isReduced)
    return fix
  }

  private static func update(_ isReduced: Bool) -> PositionUpdate {
    PositionUpdate(fix: Self.fix(isReduced), availability: .available)
  }

  private static func region(_ isReduced: Bool) -> RegionEvent {
    var event = RegionEvent(id: "home", kind: .enter, state: .inside, fix: Self.fix(isReduced))
    event.isReduced = isReduced
    return event
  }

  private static var visit: Visit { Visit(id: 1, latitude: 48, longitude: 11, horizontalAccuracy: 5) }

  private static func event(_ content: DurableContent) -> [Notification] {
    [.durable(name: "log", DurableEvent(id: 1, at: Clocks.system.sinceBoot(), content: content))]
  }

  private static var heading: Heading { Heading(trueHeading: 1, source: .sensor, arrival: Clocks.system.sinceBoot()) }

  /// Each notification, in the forms that disclose the least to the most: nothing, the reduced position, everything.
  private static let notifications: [(String, open: [Notification], rough: [Notification], fine: [Notification])] = [
    (
      "position.update",
      [.position(id, PositionUpdate(availability: .denied, state: .suspended, reason: .changed))],
      [.position(id, update(true))] + event(.position(update(true))),
      [.position(id, update(false))] + event(.position(update(false)))
        + [
          .position(id, PositionUpdate(fixes: [fix(true), fix(false)], availability: .available))
        ]
    ),
    ("sky.update", [], [], [.sky(id, Sky(satellites: [], arrival: Clocks.system.sinceBoot(), device: nil))]),
    (
      "heading.update", [.heading(id, HeadingUpdate(state: .invalid))], [],
      [.heading(id, HeadingUpdate(state: .valid, heading: heading))]
    ),
    ("visit.update", [], [], [.visit(id, visit)] + event(.visit(visit))),
    (
      "region.event",
      [.region(RegionEvent(id: "home", kind: .expired, state: .unknown))],
      [.region(region(true))] + event(.region(region(true))),
      [.region(region(false))] + event(.region(region(false)))
    ),
    ("status.update", [], [], []),
    ("subscription.ended", [.ended(id, .expired), .durableEnded(name: "log", .replaced)], [], []),
    ("durable.overflow", [.durableOverflow(name: "log", dropped: 1)], [], []),
    (
      "authorization.changed",
      [.authorization(Authorization(state: .denied), previous: Authorization(state: .always))], [], []
    ),
    ("authorization.prompted", [.prompted(.always, .precise, expiresIn: .seconds(1))], [], []),
    // The connection's own, and never the broker's.
    ("session.closing", [], [], []),
    ("$/cancelRequest", [], [], []),
  ]

  @Test("A notification reaches only clients that may know its content", arguments: AuthorizationCase.allCases)
  func gate(authorization: AuthorizationCase) async throws {
    try await onOwnThread { try Self.notifyAll(authorization) }
  }

  private static func notifyAll(_ authorization: AuthorizationCase) throws {
    let server = try LiveServer(authorization: authorization)
    let client = try server.client()
    _ = try client.call("request.list")
    for (method, open, rough, fine) in self.notifications {
      for (notifications, isAllowed) in [
        (open, true), (rough, authorization.allowed.contains(.rough)), (fine, authorization.allowed.contains(.fine)),
      ] {
        server.notify(ClientID(1), notifications)
        // The count is available after all earlier events.
        _ = server.outboundBytes
        _ = try client.call("request.list")
        var methods: [String] = []
        while let message = client.unreadMessage() {
          if case .string(let method)? = message["method"] { methods.append(method) }
        }
        let isExpected = methods == (isAllowed ? notifications.map { _ in method } : [])
        // The end of a subscription may be sent with another method's name.
        #expect(isExpected, "\(authorization.rawValue): \(method) came as \(methods)")
      }
    }
  }
}
