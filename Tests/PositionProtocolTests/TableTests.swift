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

  /// What a table and its type are: every message, every result, every object and their parts.
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
    HeadingGetRequest.Result.self, Sky.Satellite.self, StatusObject.Receiver.self, StatusObject.Power.self,
    StatusObject.DutyCycle.self,
    StatusObject.Starts.self, StatusObject.Gpsd.self, StatusObject.Demand.self, StatusObject.ClientDemand.self,
    StatusObject.Reports.self, StatusObject.LastFix.self, StatusObject.LastError.self, RegionListRequest.Result.self,
    DurableListRequest.Result.self, RegionObject.Circle.self, StatusObject.InUse.self,
    AgentRegisterRequest.Result.self, AgentAuthorizeRequest.Result.self, AdminClientsRequest.Result.self,
    AdminGrantsRequest.Result.self,
  ]

  /// Objects that stand in parameters only.
  static let parameters: [any WireObject.Type] = [
    AcquisitionObject.self, DurableParameter.self, DurableNameParameter.self, RegionObject.self,
  ]

  var example: [String: JSONValue] {
    Dictionary(uniqueKeysWithValues: self.fields.map { ($0.name, $0.example) })
  }

  /// When the examples were written: their arrival is as long ago as their age says.
  private static let moment = CodingMoment(sinceBoot: .milliseconds(1_234_817), since1970: .seconds(1_769_860_800))

  /// Reads the members and writes them again.
  func roundTrip(_ members: [String: JSONValue]) throws -> JSONValue { try Self.roundTrip(self.type, members).json }

  static func roundTrip<Value: WireValue>(
    _ type: Value.Type, _ members: [String: JSONValue]
  ) throws -> (json: JSONValue, value: any Sendable) {
    let value = try Value.codec.decode(
      JSONValue.object(members).encoded(), context: ReadingContext(moment: self.moment, leniency: [.members, .values]))
    return (try JSONValue(parsing: Value.codec.encode(value, moment: self.moment)), value)
  }
}

@Suite("A table beside a type")
struct TableTests {
  @Test("has an example that the type reads and writes whole", arguments: Described.all)
  func examples(described: Described) throws {
    #expect(try described.roundTrip(described.example) == .object(described.example).reparsed)
  }

  @Test("names each of the type's members", arguments: Described.all)
  func members(described: Described) throws {
    let value = try Described.roundTrip(described.type, described.example).value
    switch value {
    case let update as SkyUpdateNotification:
      #expect(described.fields.count == Mirror(reflecting: update.sky).children.count + 1)
    case let update as StatusUpdateNotification:
      #expect(described.fields.count == Mirror(reflecting: update.status).children.count + 2)
    case let changed as AuthorizationChangedNotification:
      #expect(described.fields.count == Mirror(reflecting: changed.authorization).children.count + 1)
    case let request as RegionAddRequest:
      #expect(described.fields.count == Mirror(reflecting: request.region).children.count + 1)
    case let watched as WatchedRegionObject:
      #expect(described.fields.count == Mirror(reflecting: watched.region).children.count + 3)
    case let update as SubscriptionUpdateRequest:
      // What is null is a member of its own.
      #expect(described.fields.count == Mirror(reflecting: update).children.count - 1)
    case let subscription as SubscriptionObject:
      // Its kind is that of its parameters.
      #expect(described.fields.count == Mirror(reflecting: subscription).children.count + 1)
    default: #expect(described.fields.count == Mirror(reflecting: value).children.count)
    }
    #expect(Set(described.fields.map(\.name)).count == described.fields.count)
  }

  @Test("says truly which members must be there", arguments: Described.all)
  func presence(described: Described) throws {
    for field in described.fields {
      var members = described.example
      members[field.name] = nil
      if field.isRequired {
        let error = #expect(throws: RPCError.self) { try described.roundTrip(members) }
        #expect(error?.data?["path"] == .string(field.name), "\(field.name)")
      } else {
        #expect(try described.roundTrip(members) == .object(members).reparsed, "\(field.name)")
      }
    }
  }

  @Test("says truly what each member may be", arguments: Described.all)
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

  @Test("ends each description with a full stop, and gives a default that fits", arguments: Described.all)
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
  /// As it reads once written: 5.0 is 5 on the wire.
  var reparsed: JSONValue {
    get throws { try JSONValue(parsing: self.encoded()) }
  }
}
