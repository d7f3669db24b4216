public import JSONRPC
public import Positioning

extension PositionUpdate: WireObject {
  public static let wire = ObjectCodec<PositionUpdate>(
    blank: PositionUpdate(availability: .fallback, state: .fallback)
  ) {
    Field.required("state", \.state, SubscriptionState.codec, example: "waiting", "Where it stands.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example,
      "The fix; absent where it is a batch, or only availability or state changed.")
    Field.filled("fixes", \.fixes, .array(of: Fix.codec), example: [Fix.example], "A batch, oldest first.")
    Field.optional(
      "achievedAccuracy", \.achievedAccuracy, AccuracyLevel.codec, example: "room",
      "The finest level that the fix reaches.")
    Field.optional(
      "reason", \.reason, DeliveryReason.codec, example: "restored",
      "Why availability or state changed, or why the batch comes now.")
    Field.flag("replay", \.isReplay, "True where the fix was there before the subscription, else absent.")
    Field.flag("repeat", \.isRepeat, "True where it is a heartbeat and comes because nothing else did, else absent.")
    Field.count(
      "dropped", \.dropped, example: 2,
      "How many fixes were passed over since the last delivery: the client did not read in time, or the batch was full."
    )
  }
}
