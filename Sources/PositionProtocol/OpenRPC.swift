public import JSONRPC

/// The protocol's description of itself, the result of `rpc.discover`.
public enum OpenRPC {
  public static let document = OpenRPCDocument(
    title: "positiond",
    description: """
      Where this device is, for every program on it. JSON-RPC 2.0 over a Unix stream socket, one text on each line. \
      A method may also be answered with an error of JSON-RPC itself, with limitExceeded, or with shuttingDown.
      """,
    server: "unix:///run/positiond/positiond.sock", version: PositionMethods.version, methods: PositionMethods.server,
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
