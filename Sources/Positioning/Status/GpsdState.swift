/// The state of the connection to gpsd, as the protocol has it.
public enum GpsdState: String, Hashable, Sendable, CaseIterable {
  /// Not connected, because nobody needs the receiver.
  case idle
  /// Connecting, or waiting for gpsd to open the receiver.
  case opening
  /// Reports flow.
  case streaming
  /// gpsd has no device, or the device sends nothing.
  case receiverMissing
  /// gpsd serves as many clients as it can.
  case gpsdFull
  /// gpsd cannot be reached.
  case gpsdDown
  /// Unknown to a client: a later daemon sent a value that it does not know. No daemon sends it.
  case unknown

  /// The values that a daemon sends.
  public static let allCases: [GpsdState] = [.idle, .opening, .streaming, .receiverMissing, .gpsdFull, .gpsdDown]
}
