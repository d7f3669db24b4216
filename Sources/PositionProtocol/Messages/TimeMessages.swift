public import JSONRPC
public import Positioning

/// Returns the receiver's time, and what is known of this machine's clock.
public struct TimeGetRequest: RequestType, WireObject, Hashable {
  public static let method = "time.get"
  public static let summary = "Returns the receiver's time, and what is known of this machine's clock."
  public static let usual: Set<String> = ["receiver", "time", "system", "difference", "uncertainty", "age"]

  public init() {}

  public static let wire = ObjectCodec<TimeGetRequest>(blank: TimeGetRequest()) {}

  public typealias Result = ReceiverTime
  public static let result = ResultDescription(
    "time", ReceiverTime.wire.schema, "The two times.")
}
