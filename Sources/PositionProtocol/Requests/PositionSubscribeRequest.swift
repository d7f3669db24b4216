public import JSONRPC
public import Positioning

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
