import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// The status as it was written last: anybody may ask for it as often as they like, and those who ask in the same turn
/// are told the same.
final class WrittenStatus {
  private var status: Status?
  private var now: Instant?
  private var text: EncodedResult?

  /// The status at that moment, as text, written only where it differs from what was written last.
  func text(
    of status: Status, now: Instant, make: () -> StatusObject
  ) throws(JSONWriter.NoJSON) -> EncodedResult {
    if let text, self.now == now, self.status == status { return text }
    let text = try EncodedResult(make(), StatusGetRequest.resultCodec)
    (self.status, self.now, self.text) = (status, now, text)
    return text
  }
}
