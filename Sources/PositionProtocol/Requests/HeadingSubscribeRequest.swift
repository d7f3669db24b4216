public import JSONRPC
public import Positioning

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
