import Positioning
import Printable

extension TimeSpan {
  /// How long something has held, such as `for 3 min`.
  static func since(_ time: Timestamp, _ now: Timestamp) -> String {
    let seconds = (now - time).seconds
    // The clock may have been stepped in between; then the time itself is all there is to say.
    return seconds >= 0 ? "for \(self.words(seconds))" : "since \(time)"
  }
}
