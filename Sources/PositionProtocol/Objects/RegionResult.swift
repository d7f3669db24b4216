public import JSONRPC
public import Positioning

/// The state of one region.
public struct RegionResult: WireObject, Hashable {
  /// Where the device is, as decided by the fixes.
  public var state: RegionState
  /// A warning about the accepted region.
  public var warning: String?

  public init(state: RegionState, warning: String? = nil) {
    self.state = state
    self.warning = warning
  }

  public static let wire = ObjectCodec<RegionResult>("RegionResult", blank: RegionResult(state: .fallback)) {
    Field.required(
      "state", \.state, RegionState.codec, example: "outside",
      "Where the device is, as decided by the fixes.")
    Field.optional(
      "warning", \.warning, .string, example: "smaller than most fixes are accurate",
      "A warning about the accepted region.")
  }
}
