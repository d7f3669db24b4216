import JSONRPC
import PositionProtocol
import Positioning
import Printable

extension TimeSpan {
  /// How long a state has held, such as `for 3 min`; the time itself if the wall clock is not the daemon's.
  static func since(_ instant: Instant, _ moment: CodingMoment) -> String {
    self.since(Timestamp(of: instant, at: moment), Timestamp(since1970: moment.since1970))
  }

  /// How long a state has held, such as `for 3 min`.
  static func since(_ time: Timestamp, _ now: Timestamp) -> String {
    let seconds = (now - time).seconds
    // The clock may have been stepped in between; then only the time itself is shown.
    return seconds >= 0 ? "for \(self.words(seconds))" : "since \(time)"
  }
}
