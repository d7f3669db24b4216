public import JSONRPC
public import Positioning

extension StatusObject {
  /// What the receiver is needed for: the finest accuracy and the shortest interval of all who ask.
  public struct Demand: WireObject, Hashable {
    /// Metres.
    public var accuracy: Double
    /// Seconds between two fixes.
    public var interval: Double
    /// What moves the device.
    public var activity: Activity
    /// Who asks for what, for those who may know; the decisive ones first, and no more than 64.
    public var clients: [ClientDemand]?
    /// How many more ask; absent where all are listed.
    public var omitted: Int?

    public init(
      accuracy: Double, interval: Double, activity: Activity, clients: [ClientDemand]? = nil, omitted: Int? = nil
    ) {
      self.accuracy = accuracy
      self.interval = interval
      self.activity = activity
      self.clients = clients
      self.omitted = omitted
    }

    public static let wire = ObjectCodec<Demand>(blank: Demand(accuracy: 0, interval: 0, activity: .fallback)) {
      Field.required("accuracy", \.accuracy, .number(.meters), example: 15, "Metres.")
      Field.required("interval", \.interval, .number(.seconds), example: 1, "Seconds between two fixes.")
      Field.required("activity", \.activity, Activity.codec, example: "automotive", "What moves the device.")
      Field.optional(
        "clients", \.clients, .array(of: ClientDemand.codec), example: [ClientDemand.example],
        "Who asks for what, for those who may know; the decisive ones first, and no more than 64.")
      Field.optional(
        "omitted", \.omitted, .integer(minimum: 1), example: 12,
        "How many more ask; absent where all are listed.")
    }
  }
}
