public import JSONRPC
public import Positioning

extension StatusObject {
  /// One request or subscription that needs the receiver.
  public struct ClientDemand: DescribedObject {
    /// Who asks.
    public var principal: PrincipalObject
    /// What was asked.
    public var what: String
    /// Metres.
    public var accuracy: Double
    /// Seconds between two fixes.
    public var interval: Double
    /// What moves the device.
    public var activity: Activity
    /// True where the demand of all is as it is because of this one, else absent.
    @TrueOrAbsent public var isDecisive: Bool

    public init(
      principal: PrincipalObject, what: String, accuracy: Double, interval: Double, activity: Activity,
      isDecisive: Bool = false
    ) {
      self.principal = principal
      self.what = what
      self.accuracy = accuracy
      self.interval = interval
      self.activity = activity
      self.isDecisive = isDecisive
    }

    private enum CodingKeys: String, CodingKey {
      case principal
      case what
      case accuracy
      case interval
      case activity
      case isDecisive = "decisive"
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "principal", .reference(PrincipalObject.schemaName), example: DescribedExample.of(PrincipalObject.self),
        "Who asks."),
      FieldDescription(
        "what", .string(maximumBytes: nil), example: "position.subscribe",
        "What was asked."),
      FieldDescription(
        "accuracy", .number(.meters), example: 15,
        "Metres."),
      FieldDescription(
        "interval", .number(.seconds), example: 1,
        "Seconds between two fixes."),
      FieldDescription(
        "activity", .choice(of: Activity.self), example: "automotive",
        "What moves the device."),
      FieldDescription(
        "decisive", .boolean, .optional, example: true,
        "True where the demand of all is as it is because of this one, else absent."),
    ]
  }
}
