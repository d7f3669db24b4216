public import JSONRPC

/// The protocol's description of itself: what `rpc.discover` answers.
public enum OpenRPC {
  public static let document = OpenRPCDocument(
    title: "positiond", version: PositionMethods.version, methods: PositionMethods.server,
    unasked: PositionMethods.client,
    objects: PositionMethods.objects.map { (name: $0.schemaName, fields: $0.fields) }
  ).json
}
