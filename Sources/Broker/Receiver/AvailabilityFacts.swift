import Positioning
import ReceiverPorts

/// The facts from which a client's `availability` follows, from the satellites to its permission.
struct AvailabilityFacts: Hashable, Sendable {
  var isReceiverOn: Bool
  var source: SourceState
  /// Whether the receiver has a fix in this session, and whether it had one and lost it.
  var hasFix: Bool
  var isLost: Bool
  var newestFix: Instant?

  /// The last value that applies, in the order of `Availability`.
  ///
  /// - Parameter maximumAge: The greatest age that the client accepts; `nil`: it gave none.
  func availability(maximumAge: Duration?, now: Instant) -> Availability {
    guard self.isReceiverOn else { return .poweredDown }
    switch self.source {
    case .gpsdDown: return .gpsdDown
    case .gpsdFull: return .gpsdFull
    case .receiverMissing: return .receiverMissing
    case .idle, .opening, .streaming: break
    }
    if self.isLost { return .lost }
    if let maximumAge, let newestFix, now - newestFix > maximumAge { return .stale }
    return self.hasFix ? .available : .searching
  }
}

extension SourceState {
  /// Details for the administrator, if something is wrong.
  package var detail: String? {
    switch self {
    case .idle, .streaming: nil
    case .opening: "connecting to gpsd, or waiting for it to open the receiver"
    case .receiverMissing(.noDevice): "gpsd has no receiver"
    case .receiverMissing(.notConfiguredDevice(let path, let present)):
      "gpsd does not have the configured receiver \(path)\(Self.words(present))"
    case .receiverMissing(.unplugged(let path)): "the receiver \(path) was unplugged"
    case .receiverMissing(.silent(let path)): "the receiver \(path ?? "") sends nothing"
    case .gpsdFull: "gpsd serves as many clients as it can and closed the connection"
    case .gpsdDown(.unreachable(let reason)): "gpsd cannot be reached: \(reason)"
    case .gpsdDown(.mute):
      "gpsd accepts the connection and says nothing: it is opening a receiver, or is stopped behind its systemd socket"
    case .gpsdDown(.closed(let reason)): "the connection to gpsd broke: \(reason)"
    case .gpsdDown(.notGpsd(let reason)): "what answers is not gpsd: \(reason)"
    }
  }
}
