public import JSONRPC

/// Describes the protocol as an OpenRPC document.
public struct DiscoverRequest: RequestType, WireObject, Hashable {
  public static let method = "rpc.discover"
  public static let summary = "Describes the protocol as an OpenRPC document."

  public init() {}

  public static let wire = ObjectCodec<DiscoverRequest>(blank: DiscoverRequest()) {}

  public typealias Result = JSONValue
  public static let result = ResultDescription("document", .any, "An OpenRPC document.")
}
