public import JSONRPC

/// The protocol's description of itself, the result of `rpc.discover`.
public enum OpenRPC {
  public static let document = OpenRPCDocument(
    title: "positiond", version: PositionMethods.version, methods: PositionMethods.server,
    unasked: PositionMethods.client,
    objects: PositionMethods.objects.map { $0.description }
  ).json
}

extension WireObject {
  /// The object as the self-description has it, under its name.
  package static var description: (name: String, fields: [FieldDescription]) {
    (self.wire.name ?? "\(self)", self.wire.descriptions)
  }
}
