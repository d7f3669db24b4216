public import JSONRPC
public import Positioning

/// Where the device is with regard to one region.
public struct RegionResult: DescribedObject {
  /// Where the device is, as far as the fixes decided it.
  public var state: RegionState
  /// What its owner should know of it, though it is accepted.
  public var warning: String?

  public init(state: RegionState, warning: String? = nil) {
    self.state = state
    self.warning = warning
  }

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "state", .choice(of: RegionState.self), example: "outside",
      "Where the device is, as far as the fixes decided it."),
    FieldDescription(
      "warning", .string(maximumBytes: nil), .optional, example: "smaller than most fixes are accurate",
      "What its owner should know of it, though it is accepted."),
  ]
}
