public import JSONRPC
public import Positioning

/// Gets one heading: at once if a recent one is known, else within the timeout.
public struct HeadingGetRequest: RequestType, WireObject, Hashable {
  public static let method = "heading.get"
  public static let summary = "Gets one heading: at once if a recent one is known, else within the timeout."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited, .unavailable, .requestCancelled]
  public static let usual: Set<String> = ["timeout", "heading"]

  public var request: HeadingRequest

  public init(_ request: HeadingRequest = HeadingRequest()) { self.request = request }

  public static let wire = ObjectCodec<HeadingGetRequest>(blank: HeadingGetRequest()) {
    HeadingRequest.wire.fields(within: \HeadingGetRequest.request)
  }

  public typealias Result = HeadingResult
  public static let result = ResultDescription(
    "result", HeadingResult.wire.schema, "The heading, if one arrived in time.")
}

/// Delivers headings as they change, and turns the receiver on.
public struct HeadingSubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "heading.subscribe"
  public static let summary = "Delivers headings as they change, and turns the receiver on."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited, .unavailable]
  public static let usual: Set<String> = ["subscription"]

  public var parameters: HeadingParameters

  public init(_ parameters: HeadingParameters = HeadingParameters()) { self.parameters = parameters }

  public static let wire = ObjectCodec<HeadingSubscribeRequest>(blank: HeadingSubscribeRequest()) {
    HeadingParameters.wire.fields(within: \HeadingSubscribeRequest.parameters)
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}

/// One delivery of a heading subscription. On the wire the update's members stand beside `subscription`.
public struct HeadingUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "heading.update"
  public static let summary = "One delivery of a heading subscription: a heading, or a change of its state."

  /// The subscription's number on this connection.
  public var subscription: Int
  public var update: HeadingUpdate

  public init(subscription: Int, _ update: HeadingUpdate) {
    self.subscription = subscription
    self.update = update
  }

  public static let wire = ObjectCodec<HeadingUpdateNotification>(
    blank: HeadingUpdateNotification(subscription: 0, HeadingUpdate.wire.blank)
  ) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
    HeadingUpdate.wire.fields(within: \HeadingUpdateNotification.update)
  }
}
