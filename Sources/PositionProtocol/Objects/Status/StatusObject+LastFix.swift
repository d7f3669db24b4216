public import JSONRPC
public import Positioning

extension StatusObject {
  /// The newest fix, without telling where it was.
  public struct LastFix: WireObject, Hashable {
    /// Seconds since it arrived.
    public var age: Double
    /// The finest level that it reaches.
    public var level: AccuracyLevel?
    /// How its horizontal accuracy came to be known; absent where none was told.
    public var accuracySource: AccuracySource?

    public init(age: Double, level: AccuracyLevel? = nil, accuracySource: AccuracySource? = nil) {
      self.age = age
      self.level = level
      self.accuracySource = accuracySource
    }

    public static let wire = ObjectCodec<LastFix>(blank: LastFix(age: 0)) {
      Field.required("age", \.age, .number(.nonNegative), example: 0.4, "Seconds since it arrived.")
      Field.optional("level", \.level, AccuracyLevel.codec, example: "room", "The finest level that it reaches.")
      Field.optional(
        "accuracySource", \.accuracySource, AccuracySource.codec, example: "dilution",
        "How its horizontal accuracy came to be known; absent where none was told.")
    }
  }
}
