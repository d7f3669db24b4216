public import JSONRPC
public import Positioning

extension Timestamp: WireValue {
  public static let codec: Codec<Timestamp> = Codec(
    .time, write: { $1.string($0.description) },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> Timestamp in
      guard let text = view.string, let time = Timestamp(text) else {
        throw .found("\(view)", expected: Schema.time.expectation)
      }
      return time
    })
}
