import JSONRPC
import PositionProtocol
import Positioning
import Printable

extension TimeSpan {
  /// How long something has held, such as `for 3 min`; with a wall clock that is not the daemon's, since when.
  static func since(_ instant: Instant, _ moment: CodingMoment) -> String {
    self.since(Timestamp(of: instant, at: moment), Timestamp(since1970: moment.since1970))
  }

  /// How long something has held, such as `for 3 min`.
  static func since(_ time: Timestamp, _ now: Timestamp) -> String {
    let seconds = (now - time).seconds
    // The clock may have been stepped in between; then the time itself is all there is to say.
    return seconds >= 0 ? "for \(self.words(seconds))" : "since \(time)"
  }
}
