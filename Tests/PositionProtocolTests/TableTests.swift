import Positioning
import Testing

@testable import JSONRPC
@testable import PositionProtocol

/// A type on the wire and the table that describes it.
struct Described: Sendable, CustomTestStringConvertible {
  let type: any WireValue.Type
  let fields: [FieldDescription]

  var testDescription: String { String(reflecting: self.type) }

  init(_ object: any WireObject.Type) { (self.type, self.fields) = (object, object.description.fields) }
  init(_ message: any MessageType.Type) { (self.type, self.fields) = (message, message.parameters) }

  /// All tables and their types: every message, every result, every object and their parts.
  static let all: [Described] =
    requests.map { Described($0) } + notifications.map { Described($0) } + PositionMethods.objects.map { Described($0) }
    + parts.map { Described($0) } + parameters.map { Described($0) }

  static let requests = PositionMethods.server.requests + PositionMethods.client.requests
  static let notifications: [any NotificationType.Type] =
    PositionMethods.server.notifications
    + PositionMethods.client.notifications.filter { PositionMethods.server.notification($0.method) == nil }

  static let parts: [any WireObject.Type] = [
    SessionHelloRequest.Result.self, SessionHelloRequest.Server.self, PositionGetRequest.Result.self,
    PositionLastRequest.Result.self, SubscriptionListRequest.Result.self, RequestListRequest.Result.self,
    HeadingGetRequest.Result.self, Sky.Satellite.self, DaemonStatus.Receiver.self, DaemonStatus.Power.self,
    DaemonStatus.DutyCycle.self,
    DaemonStatus.Starts.self, DaemonStatus.Gpsd.self, DaemonStatus.Demands.self, DaemonStatus.ClientDemand.self,
    DaemonStatus.Reports.self, DaemonStatus.LastFix.self, DaemonStatus.LastError.self, RegionListRequest.Result.self,
    DurableListRequest.Result.self, DaemonStatus.InUse.self,
    AgentRegisterRequest.Result.self, PromptAnswer.self, AdminClientsRequest.Result.self,
    AdminGrantsRequest.Result.self,
  ]

  /// Objects that occur in parameters only.
  static let parameters: [any WireObject.Type] = [
    Acquisition.self, DurableRequest.self, Region.self,
  ]

  var example: [String: JSONValue] { self.examples[0] }

  /// Each member's example; a region has one shape, so there are two examples of it.
  var examples: [[String: JSONValue]] {
    let all = Dictionary(uniqueKeysWithValues: self.fields.map { ($0.name, $0.example) })
    if self.hasShape { return ["polygon", "circle"].map { shape in all.filter { $0.key != shape } } }
    if self.isCommand { return ["durable", "subscription"].map { other in all.filter { $0.key != other } } }
    guard self.type == PositionSubscribeRequest.self else { return [all] }
    let modes = Set(SubscriptionParameter.allCases.compactMap(\.mode))
    return modes.sorted { $0.rawValue < $1.rawValue }.map { mode in
      let others = SubscriptionParameter.allCases.filter { $0.mode ?? mode != mode }.map(\.name)
      return all.filter { !others.contains($0.key) }.merging(["mode": .string(mode.rawValue)]) { $1 }
    }
  }

  /// Whether it is a command to a subscription or a durable registration: one of two members selects it.
  private var isCommand: Bool {
    self.fields.map(\.name) == ["subscription", "durable"] && self.type is any RequestType.Type
  }

  /// Whether its presence depends on another member, or the value of another on its presence.
  func isOneOfSeveral(_ member: String) -> Bool {
    self.type == Fix.self && ["horizontalAccuracy", "lag"].contains(member)
      || self.type == HeadingResult.self && member == "heading"
      || self.isCommand || self.type == PositionSubscribeRequest.self && self.example[member] == nil
      || self.type == PositionSubscribeRequest.self && member == "mode"
  }

  /// Whether it has one of the members circle and polygon.
  var hasShape: Bool { self.fields.contains { $0.name == "circle" } }

  /// The moment of the examples: their arrival follows from their age.
  private static let moment = CodingMoment(sinceBoot: .milliseconds(1_234_817), since1970: .seconds(1_769_860_800))

  /// Reads the members and writes them again.
  func roundTrip(
    _ members: [String: JSONValue], leniency: ReadingContext.Leniency = []
  ) throws -> JSONValue {
    try Self.roundTrip(self.type, members, leniency).json
  }

  static func roundTrip<Value: WireValue>(
    _ type: Value.Type, _ members: [String: JSONValue], _ leniency: ReadingContext.Leniency
  ) throws -> (json: JSONValue, value: any Sendable) {
    let value = try Value.codec.decode(
      JSONValue.object(members).encoded(), context: ReadingContext(moment: self.moment, leniency: leniency))
    return (try JSONValue(parsing: Value.codec.encode(value, moment: self.moment)), value)
  }
}

@Suite("A table beside a type")
struct TableTests {
  @Test("has an example that the type reads and writes completely", arguments: Described.all)
  func examples(described: Described) throws {
    for example in described.examples {
      #expect(try described.roundTrip(example) == .object(example).reparsed)
    }
  }

  @Test("names each member once", arguments: Described.all)
  func members(described: Described) {
    #expect(Set(described.fields.map(\.name)).count == described.fields.count)
  }

  @Test("marks exactly the required members", arguments: Described.all)
  func presence(described: Described) throws {
    for field in described.fields where !described.isOneOfSeveral(field.name) {
      var members = described.example
      members[field.name] = nil
      if field.isRequired || described.hasShape && field.name == "circle" {
        let error = #expect(throws: RPCError.self) { try described.roundTrip(members) }
        #expect(error?.data?["path"] == .string(field.name), "\(field.name)")
      } else {
        let whole = try described.roundTrip(members)
        guard case .object(var result) = whole else { Issue.record("\(whole)"); continue }
        // An absent member may be written with its default.
        let written = result.removeValue(forKey: field.name)
        #expect(try JSONValue.object(result) == JSONValue.object(members).reparsed, "\(field.name)")
        if case .defaulted(let value) = field.presence { #expect(written ?? value == value, "\(field.name)") }
      }
    }
  }

  @Test("has each member's correct type", arguments: Described.all)
  func schemas(described: Described) throws {
    for field in described.fields {
      let violation = field.schema.violation(of: field.example)
      #expect(violation == nil, "\(field.name): \(violation ?? "")")
      let wrong: JSONValue = if case .array = field.schema { "x" } else { ["wrong"] }
      var members = described.example
      members[field.name] = wrong
      #expect(field.schema.violation(of: wrong) != nil, "\(field.name)")
      #expect(throws: (any Error).self, "\(field.name)") { try described.roundTrip(members) }
    }
  }

  @Test("ends each description with a full stop, and has a valid default", arguments: Described.all)
  func descriptions(described: Described) throws {
    for field in described.fields {
      #expect(field.description.hasSuffix(".") && field.description.first?.isUppercase == true, "\(field.name)")
      if case .defaulted(let value) = field.presence {
        #expect(field.schema.violation(of: value) == nil, "\(field.name)")
        #expect(value != field.example, "An example that is the default shows nothing: \(field.name)")
      }
    }
  }
}

extension JSONValue {
  /// As it is read after writing: 5.0 is 5 on the wire.
  var reparsed: JSONValue {
    get throws { try JSONValue(parsing: self.encoded()) }
  }
}
