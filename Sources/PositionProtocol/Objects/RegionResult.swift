public import JSONRPC
public import Positioning

/// Where the device is with regard to one region.
public struct RegionResult: WireObject, Hashable {
  /// Where the device is, as far as the fixes decided it.
  public var state: RegionState
  /// What its owner should know of it, though it is accepted.
  public var warning: String?

  public init(state: RegionState, warning: String? = nil) {
    self.state = state
    self.warning = warning
  }

  public static let wire = ObjectCodec<RegionResult>("RegionResult", blank: RegionResult(state: .fallback)) {
    Field.required(
      "state", \.state, RegionState.codec, example: "outside",
      "Where the device is, as far as the fixes decided it.")
    Field.optional(
      "warning", \.warning, .string, example: "smaller than most fixes are accurate",
      "What its owner should know of it, though it is accepted.")
  }
}
