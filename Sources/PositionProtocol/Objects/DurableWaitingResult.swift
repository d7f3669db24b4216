public import JSONRPC

/// How many events wait under a durable name.
public struct DurableWaitingResult: WireObject, Hashable {
  /// How many events wait to be acknowledged.
  public var waiting: Int

  public init(waiting: Int) {
    self.waiting = waiting
  }

  public static let wire = ObjectCodec<DurableWaitingResult>(
    "DurableWaitingResult", blank: DurableWaitingResult(waiting: 0)
  ) {
    Field.required("waiting", \.waiting, .integer(minimum: 0), example: 4, "How many events wait to be acknowledged.")
  }
}
