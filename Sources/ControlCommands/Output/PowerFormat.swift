import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// The text form of when the receiver is on.
enum PowerFormat {
  /// When it was on within a time, a character for each part of it: `#` on all the time, `+` for some of it, `.` off.
  static func timeline(_ periods: [DaemonStatus.OnPeriod], over span: Duration, width: Int, now: Instant) -> String {
    let part = span / width
    return (0..<width).map { index in
      let begin = now - span + part * index
      let end = begin + part
      let on = periods.reduce(Duration.zero) { sum, period in
        sum + max(min(period.until ?? now, end) - max(period.from, begin), .zero)
      }
      // Rounding must not hide that it was on all the time.
      return on >= part * 0.999 ? "#" : on > .zero ? "+" : "."
    }.joined()
  }

  /// When it is turned on next, and the reason.
  static func next(_ start: DaemonStatus.NextStart?, _ state: PowerState.State, now: Instant) -> String {
    guard let start else {
      switch state {
      case .on, .turningOn: return "is on"
      case .released, .off, .turningOff, .unknown: return "when somebody asks"
      }
    }
    let time = "in \(TimeSpan.words(max((start.at - now).seconds, 0)))"
    switch start.reason {
    case .due:
      let due = start.due.map { ", due in \(TimeSpan.words(max(($0 - now).seconds, 0)))" } ?? ""
      return "\(time), for \(start.what ?? "a fix")\(due)"
    case .retry: return "\(time), to search again: there was no fix"
    case .keepHot: return "\(time), so that a later start is quick"
    case .unknown: return time
    }
  }

  /// How long the starts take.
  static func starts(_ times: DaemonStatus.StartTimes) -> String {
    let kinds = [("hot", times.hot), ("warm", times.warm), ("cold", times.cold)].compactMap { name, time in
      time.map { "\(name) \(Self.seconds($0.mean)), at most \(Self.seconds($0.most)) (\($0.count))" }
    }
    let last = times.last.map { ["last \(Self.seconds($0))"] } ?? []
    return kinds.isEmpty && last.isEmpty ? "nothing learned yet" : (last + kinds).joined(separator: "; ")
  }

  private static func seconds(_ duration: Duration) -> String { "\(duration.seconds.fixed(1)) s" }
}
