import Positioning
import ReceiverPorts

extension SourceState {
  /// The log message for this state; `nil`: none.
  var logMessage: (level: LogLevel, text: String)? {
    switch self {
    case .idle, .opening: nil
    case .streaming: (.info, "the receiver is sending data")
    case .receiverMissing(.noDevice): (.warning, "gpsd has no receiver; waiting for one")
    case .receiverMissing(.notConfiguredDevice(let path)):
      (.warning, "gpsd does not have the configured receiver \(path); waiting for it")
    case .receiverMissing(.unplugged(let path)): (.warning, "\(path) was unplugged; waiting for it")
    case .receiverMissing(.silent(let path)):
      (.warning, "\(path ?? "the receiver") sends no position; asking gpsd again every 10 s")
    case .gpsdFull: (.warning, "gpsd accepts no more clients; retrying")
    case .gpsdDown(.unreachable(let reason)): (.warning, "gpsd cannot be reached (\(reason)); retrying")
    case .gpsdDown(.mute): (.warning, "gpsd does not answer; retrying")
    case .gpsdDown(.closed(let reason)): (.warning, "lost the connection to gpsd (\(reason)); retrying")
    case .gpsdDown(.notGpsd(let reason)): (.error, "not a gpsd that positiond understands: \(reason); retrying")
    }
  }
}
