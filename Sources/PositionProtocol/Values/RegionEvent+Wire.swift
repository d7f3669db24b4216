public import JSONRPC
public import Positioning

extension RegionEvent: WireObject {
  public static let wire = ObjectCodec<RegionEvent>(blank: RegionEvent(id: "", kind: .fallback, state: .fallback)) {
    Field.required("id", \.id, .string, example: "home", "The region's id.")
    Field.required("event", \.kind, RegionEventKind.codec, example: "enter", "What happened.")
    Field.required("state", \.state, RegionState.codec, example: "inside", "The region's state after the event.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example, "The fix that caused it; absent if only time did.")
    Field.flag(
      "inferred", \.isInferred, "True if no fix was inside and only the path between two fixes shows it; else absent.")
    Field.flag(
      "initial", \.isInitial,
      "True if it is the state in which the region began, and nothing was entered or left; else absent.")
    Field.optional(
      "probability", \.probability, .number(.share, decimals: 3), example: 0.97,
      "The probability that the device is inside, if a fix decided.")
  }
}
