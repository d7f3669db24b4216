import JSONRPC
import PositionProtocol
import Positioning

/// The last encoded status: clients may ask for it often, and those that ask in the same turn get the same text.
final class WrittenStatus {
  private var status: DaemonStatus?
  private var now: Instant?
  private var text: Reply?

  /// The status at that moment as text, encoded only if it differs from the last one.
  func text(of status: DaemonStatus, at moment: CodingMoment) throws(JSONWriter.NoJSON) -> Reply {
    if let text, self.now == moment.now, self.status == status { return text }
    let text = try Reply(status, StatusGetRequest.resultCodec, moment: moment)
    (self.status, self.now, self.text) = (status, moment.now, text)
    return text
  }
}
