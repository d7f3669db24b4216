public import JSONRPC
public import Positioning

extension StatusObject {
  /// The receiver, and whether it gives fixes.
  public struct Receiver: WireObject, Hashable {
    /// Its path; absent where gpsd has none.
    public var device: String?
    /// What gpsd takes it for.
    public var driver: String?
    /// Why there is or is not a fresh fix.
    public var availability: Availability
    /// Since when that has held.
    public var since: Timestamp

    public init(device: String? = nil, driver: String? = nil, availability: Availability, since: Timestamp) {
      self.device = device
      self.driver = driver
      self.availability = availability
      self.since = since
    }

    public static let wire = ObjectCodec<Receiver>(
      blank: Receiver(availability: .fallback, since: .epoch)
    ) {
      Field.optional("device", \.device, .string, example: "/dev/ttyACM0", "Its path; absent where gpsd has none.")
      Field.optional("driver", \.driver, .string, example: "u-blox", "What gpsd takes it for.")
      Field.required(
        "availability", \.availability, Availability.codec, example: "available",
        "Why there is or is not a fresh fix.")
      Field.required(
        "since", \.since, Timestamp.codec, example: "2026-01-31T12:00:00.000Z",
        "Since when that has held.")
    }
  }
}
