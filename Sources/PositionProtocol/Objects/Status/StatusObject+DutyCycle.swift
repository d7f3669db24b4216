public import JSONRPC

extension StatusObject {
  /// The share of the time that the receiver was on, from 0 to 1.
  public struct DutyCycle: WireObject, Hashable {
    /// Of the last hour.
    public var hour: Double
    /// Of the last day.
    public var day: Double

    public init(hour: Double, day: Double) {
      self.hour = hour
      self.day = day
    }

    public static let wire = ObjectCodec<DutyCycle>(blank: DutyCycle(hour: 0, day: 0)) {
      Field.required("hour", \.hour, .number(.share), example: 0.05, "Of the last hour.")
      Field.required("day", \.day, .number(.share), example: 0.01, "Of the last day.")
    }
  }
}
