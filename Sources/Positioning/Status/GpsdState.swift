/// Where the connection to gpsd stands.
public enum GpsdState: String, Hashable, Sendable, CaseIterable {
  /// Not connected, because nobody needs the receiver.
  case idle
  /// Connecting, or waiting for gpsd to open the receiver.
  case opening
  /// Reports flow.
  case streaming
  /// gpsd has no device, or the device went silent.
  case receiverMissing
  /// gpsd serves as many clients as it can.
  case gpsdFull
  /// gpsd cannot be reached.
  case gpsdDown
  /// Not known to a client, because the daemon is a later one and has another word. No daemon tells it.
  case unknown

  /// What a daemon tells.
  public static let allCases: [GpsdState] = [.idle, .opening, .streaming, .receiverMissing, .gpsdFull, .gpsdDown]
}
