import Positioning
import ReceiverPorts

extension SourceState {
  /// The log message for this state; `nil`: none.
  var logMessage: (kind: LogKind, message: LogMessage)? {
    switch self {
    case .idle, .opening: nil
    case .streaming: (.receiverReports, "the receiver is sending data again")
    case .receiverMissing(.noDevice): (.receiverMissing, "gpsd has no receiver; waiting for one")
    case .receiverMissing(.notConfiguredDevice(let path, let present)):
      (
        .receiverMissing,
        "gpsd does not have the configured receiver \(path, .receiver)\(Self.words(present)); waiting for it"
      )
    case .receiverMissing(.unplugged(let path)): (.receiverMissing, "\(path, .receiver) was unplugged; waiting for it")
    case .receiverMissing(.silent(let path?)):
      (.receiverMissing, "\(path, .receiver) sends no position; asking gpsd again every 10 s")
    case .receiverMissing(.silent(nil)):
      (.receiverMissing, "the receiver sends no position; asking gpsd again every 10 s")
    case .gpsdFull: (.gpsdUnavailable, "gpsd accepts no more clients; retrying")
    case .gpsdDown(.unreachable(let reason)): (.gpsdUnavailable, "gpsd cannot be reached (\(reason)); retrying")
    case .gpsdDown(.mute): (.gpsdUnavailable, "gpsd does not answer; retrying")
    case .gpsdDown(.closed(let reason)): (.gpsdUnavailable, "lost the connection to gpsd (\(reason)); retrying")
    case .gpsdDown(.notGpsd(let reason)):
      (.gpsdUnavailable, "not a gpsd that positiond understands: \(reason); retrying")
    }
  }
}
