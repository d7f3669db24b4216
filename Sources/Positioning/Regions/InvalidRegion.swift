/// Why a region cannot be watched.
public struct InvalidRegion: Error, Hashable, Sendable {
  /// The path of the wrong parameter in the protocol: `circle.radius`, `polygon[3]`.
  public var parameter: String
  /// The accepted values, as the end of a sentence: "greater than 0 and at most 1000000".
  public var expected: String

  public init(parameter: String, expected: String) {
    self.parameter = parameter
    self.expected = expected
  }
}
