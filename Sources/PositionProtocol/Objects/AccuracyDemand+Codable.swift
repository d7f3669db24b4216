public import Positioning

/// On the wire a level is its name, and metres are a number.
extension AccuracyDemand: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = .meters(try container.decode(Double.self))
    } catch DecodingError.typeMismatch {
      self = .level(try container.decode(AccuracyLevel.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .level(let level): try container.encode(level)
    case .meters(let meters): try container.encode(meters)
    }
  }
}
