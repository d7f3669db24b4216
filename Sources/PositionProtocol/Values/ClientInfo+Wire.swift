public import JSONRPC
public import Positioning

extension ClientInfo: WireObject {
  public static let wire = ObjectCodec<ClientInfo>(
    "Client",
    blank: ClientInfo(
      principal: Principal.wire.blank, authorization: Authorization.wire.blank, requests: 0, subscriptions: 0,
      regions: 0)
  ) {
    Field.required("principal", \.principal, Principal.codec, example: Principal.example, "Who the client is.")
    Field.required(
      "authorization", \.authorization, Authorization.codec, example: Authorization.example, "What it may know.")
    Field.required("requests", \.requests, .integer(minimum: 0), example: 1, "The client's requests in flight.")
    Field.required("subscriptions", \.subscriptions, .integer(minimum: 0), example: 2, "The client's subscriptions.")
    Field.required(
      "regions", \.regions, .integer(minimum: 0), example: 3,
      "The client's regions that end with the connection.")
  }
}
