import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// The last encoded status: clients may ask for it often, and those that ask in the same turn get the same text.
final class WrittenStatus {
  private var status: Status?
  private var now: Instant?
  private var text: EncodedResult?

  /// The status at that moment as text, encoded only if it differs from the last one.
  func text(
    of status: Status, now: Instant, make: () -> StatusObject
  ) throws(JSONWriter.NoJSON) -> EncodedResult {
    if let text, self.now == now, self.status == status { return text }
    let text = try EncodedResult(make(), StatusGetRequest.resultCodec)
    (self.status, self.now, self.text) = (status, now, text)
    return text
  }
}
