public import JSONRPC
public import Positioning

extension StatusObject {
  /// One request or subscription that needs the receiver.
  public struct ClientDemand: WireObject, Hashable {
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
    public var isDecisive: Bool

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

    public static let wire = ObjectCodec<ClientDemand>(
      blank: ClientDemand(
        principal: PrincipalObject.wire.blank, what: "", accuracy: 0, interval: 0, activity: .fallback)
    ) {
      Field.required("principal", \.principal, PrincipalObject.codec, example: PrincipalObject.example, "Who asks.")
      Field.required("what", \.what, .string, example: "position.subscribe", "What was asked.")
      Field.required("accuracy", \.accuracy, .number(.meters), example: 15, "Metres.")
      Field.required("interval", \.interval, .number(.seconds), example: 1, "Seconds between two fixes.")
      Field.required("activity", \.activity, Activity.codec, example: "automotive", "What moves the device.")
      Field.flag("decisive", \.isDecisive, "True where the demand of all is as it is because of this one, else absent.")
    }
  }
}
