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
