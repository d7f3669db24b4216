/// Why a region cannot be watched.
public struct InvalidRegion: Error, Hashable, Sendable {
  /// The path of what is wrong, as the protocol names it: `circle.radius`, `polygon[3]`.
  public var parameter: String
  /// What it must be, as the end of a sentence: "greater than 0 and at most 1000000".
  public var expected: String

  public init(parameter: String, expected: String) {
    self.parameter = parameter
    self.expected = expected
  }
}
