import Positioning
import ReceiverPorts

extension SourceState {
  /// What the log says when it comes to this; `nil` where that is not worth a line.
  var words: (level: LogLevel, text: String)? {
    switch self {
    case .idle, .opening: nil
    case .streaming: (.info, "the receiver reports")
    case .receiverMissing(.noDevice): (.warning, "gpsd has no device; waiting for one")
    case .receiverMissing(.notConfiguredDevice(let path)):
      (.warning, "gpsd does not have the configured device \(path); waiting for it")
    case .receiverMissing(.unplugged(let path)): (.warning, "\(path) was unplugged; waiting for it")
    case .receiverMissing(.silent(let path)):
      (.warning, "\(path ?? "the receiver") sends no position; asking gpsd again every 10 s")
    case .gpsdFull: (.warning, "gpsd takes no more clients; trying again")
    case .gpsdDown(.unreachable(let reason)): (.warning, "gpsd cannot be reached (\(reason)); trying again")
    case .gpsdDown(.mute): (.warning, "gpsd does not speak; trying again")
    case .gpsdDown(.closed(let reason)): (.warning, "gpsd is gone (\(reason)); trying again")
    case .gpsdDown(.notGpsd(let reason)): (.error, "no gpsd that positiond understands: \(reason); trying again")
    }
  }
}
