public import JSONRPC
public import Positioning

/// Gets one fix: at once if a cached one is good enough, else within the timeout.
public struct PositionGetRequest: RequestType, WireObject, Hashable {
  public static let method = "position.get"
  public static let summary = "Gets one fix: at once if a cached one is good enough, else within the timeout."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.requestCancelled]
  public static let usual: Set<String> = ["accuracy", "timeout", "fix", "achievedAccuracy"]

  public var request: FixRequest

  public init(_ request: FixRequest = FixRequest()) { self.request = request }

  public static let wire = ObjectCodec<PositionGetRequest>(blank: PositionGetRequest()) {
    FixRequest.wire.fields(within: \PositionGetRequest.request)
  }

  public typealias Result = FixResult
  public static let result = ResultDescription("result", FixResult.wire.schema, "The fix, and how good it is.")
}

/// Returns the newest fix, and never turns the receiver on.
public struct PositionLastRequest: RequestType, WireObject, Hashable {
  public static let method = "position.last"
  public static let summary = "Returns the newest fix, and never turns the receiver on."
  public static let errors: [RPCError.Code] = .permission
  public static let usual: Set<String> = ["fix", "achievedAccuracy"]

  public init() {}

  public static let wire = ObjectCodec<PositionLastRequest>(blank: PositionLastRequest()) {}

  public typealias Result = LastFix
  public static let result = ResultDescription("result", LastFix.wire.schema, "The newest fix.")
}

/// Delivers fixes as they arrive, until it is cancelled, expires or the connection ends.
public struct PositionSubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "position.subscribe"
  public static let summary = "Delivers fixes as they arrive, until it is cancelled, expires or the connection ends."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission
  public static let usual: Set<String> = ["accuracy", "minDistance", "subscription"]

  /// The named parameters; the others have their defaults.
  public var asked: SubscriptionChange
  /// The durable name that makes it outlive the connection; modes significant and deferred.
  public var durable: DurableRequest?

  public init(_ asked: SubscriptionChange = SubscriptionChange(), durable: DurableRequest? = nil) {
    self.asked = asked
    self.durable = durable
  }

  /// All its parameters.
  package var parameters: SubscriptionParameters {
    get throws(InvalidParameter) { try SubscriptionParameters().changed(by: self.asked) }
  }

  public static let wire = ObjectCodec<PositionSubscribeRequest>(blank: PositionSubscribeRequest()) {
    SubscriptionChange.asked.fields(within: \PositionSubscribeRequest.asked)
    Field.optional(
      "durable", \.durable, DurableRequest.codec, example: DurableRequest.example,
      "The durable name that makes it outlive the connection; modes significant and deferred.")
  } check: { (request: inout PositionSubscribeRequest, _: JSONView) throws(CodingFailure) in
    let mode: SubscriptionParameters.Mode
    do throws(InvalidParameter) {
      mode = try request.parameters.mode
    } catch {
      throw CodingFailure(error)
    }
    guard request.durable != nil, mode != .significant, mode != .deferred else { return }
    throw CodingFailure(
      InvalidParameter(
        parameter: "durable", found: "set with mode \(mode.rawValue)", expected: "mode significant or deferred with it")
    )
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}

/// One delivery of a position subscription. On the wire the update's members stand beside those that name the
/// subscription.
public struct PositionUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "position.update"
  public static let summary =
    "One delivery of a position subscription: a fix, a batch, or a change of its availability or state."

  /// The subscription's number on this connection; absent for a durable one.
  public var subscription: Int?
  /// The durable name to which it belongs.
  public var durable: String?
  /// The number with which to acknowledge the event, if it is durable.
  public var eventId: Int?
  public var update: PositionUpdate

  private init(_ update: PositionUpdate) { self.update = update }

  public init(subscription: Int, _ update: PositionUpdate) {
    self.subscription = subscription
    self.update = update
  }

  public init(durable: String, eventId: Int, _ update: PositionUpdate) {
    self.durable = durable
    self.eventId = eventId
    self.update = update
  }

  public static let wire = ObjectCodec<PositionUpdateNotification>(
    blank: PositionUpdateNotification(PositionUpdate.wire.blank)
  ) {
    UpdateSource.subscription(\.subscription)
    UpdateSource.durable(\.durable)
    UpdateSource.eventId(\.eventId)
    PositionUpdate.wire.fields(within: \PositionUpdateNotification.update)
  }
}

/// The members that say to which subscription or durable name an event belongs.
enum UpdateSource {
  static func subscription<Root>(_ path: FieldPath<Root, Int?>) -> Field<Root> {
    .optional(
      "subscription", path, .integer(minimum: 1), example: 1,
      "The subscription's number on this connection; absent for a durable one.")
  }

  static func durable<Root>(_ path: FieldPath<Root, String?>) -> Field<Root> {
    .optional("durable", path, .string, example: "tracker", "The durable name to which it belongs.")
  }

  static func eventId<Root>(_ path: FieldPath<Root, Int?>) -> Field<Root> {
    .optional(
      "eventId", path, .integer(minimum: 1), example: 1234,
      "The number with which to acknowledge the event, if it is durable.")
  }
}
