public import JSONRPC
public import Positioning

extension RegionEvent: WireObject {
  public static let wire = ObjectCodec<RegionEvent>(blank: RegionEvent(id: "", kind: .fallback, state: .fallback)) {
    Field.required("id", \.id, .string, example: "home", "What its owner calls it.")
    Field.required("event", \.kind, RegionEventKind.codec, example: "enter", "What happened.")
    Field.required("state", \.state, RegionState.codec, example: "inside", "Where the device is after it.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example, "The fix that decided it; absent where time alone did.")
    Field.flag(
      "inferred", \.isInferred, "True where no fix lay inside, and the way between two fixes tells it; else absent.")
    Field.optional(
      "probability", \.probability, .number(.share, decimals: 3), example: 0.97,
      "How likely the device is inside; where a fix decided.")
  }
}
