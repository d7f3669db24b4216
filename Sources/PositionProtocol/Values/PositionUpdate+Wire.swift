public import JSONRPC
public import Positioning

extension PositionUpdate: WireObject {
  public static let wire = ObjectCodec<PositionUpdate>(
    blank: PositionUpdate(availability: .fallback, state: .fallback)
  ) {
    Field.required("state", \.state, SubscriptionState.codec, example: "waiting", "Its state.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example,
      "The fix; absent for a batch, or if only availability or state changed.")
    Field.filled("fixes", \.fixes, .array(of: Fix.codec), example: [Fix.example], "A batch, oldest first.")
    Field.optional(
      "achievedAccuracy", \.achievedAccuracy, AccuracyLevel.codec, example: "room",
      "The finest level that the fix reaches.")
    Field.optional(
      "reason", \.reason, DeliveryReason.codec, example: "restored",
      "Why availability or state changed, or why the batch is delivered now.")
    Field.flag("replay", \.isReplay, "True if the fix is older than the subscription; else absent.")
    Field.flag(
      "repeat", \.isRepeat, "True for a heartbeat, which repeats the last value because nothing new came; else absent.")
    Field.count(
      "dropped", \.dropped, example: 2,
      "How many fixes were dropped since the last delivery: the client did not read in time, or the batch was full."
    )
  }
}
