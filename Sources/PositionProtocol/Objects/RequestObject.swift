public import JSONRPC

/// A request in flight as `request.list` shows it.
public struct RequestObject: WireObject, Hashable {
  /// The id that it was sent with.
  public var request: RequestID
  /// What was asked.
  public var method: String
  /// With which parameters, defaults filled in; those that apply to its method.
  public var parameters: PositionGetRequest
  /// Seconds since it was received.
  public var elapsed: Double
  /// Seconds until its timeout.
  public var remaining: Double

  public init(request: RequestID, method: String, parameters: PositionGetRequest, elapsed: Double, remaining: Double) {
    self.request = request
    self.method = method
    self.parameters = parameters
    self.elapsed = elapsed
    self.remaining = remaining
  }

  public static let wire = ObjectCodec<RequestObject>(
    "Request", blank: RequestObject(request: 0, method: "", parameters: PositionGetRequest(), elapsed: 0, remaining: 0)
  ) {
    Field.required("request", \.request, RequestID.codec, example: 7, "The id that it was sent with.")
    Field.required("method", \.method, .string, example: "position.get", "What was asked.")
    Field.required(
      "parameters", \.parameters, PositionGetRequest.codec, example: ["accuracy": "house"],
      "With which parameters, defaults filled in; those that apply to its method.")
    Field.required("elapsed", \.elapsed, .number(.nonNegative), example: 12.5, "Seconds since it was received.")
    Field.required("remaining", \.remaining, .number(.nonNegative), example: 17.5, "Seconds until its timeout.")
  }
}
