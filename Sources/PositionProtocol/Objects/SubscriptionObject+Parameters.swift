import JSONRPC
import Positioning

extension SubscriptionObject {
  /// What a subscription was asked for, by its kind.
  public enum Parameters: Hashable, Sendable {
    case position(PositionSubscribeRequest)
    case sky(SkySubscribeRequest)
    case heading(HeadingSubscribeRequest)
    case status(StatusSubscribeRequest)
    case visits(VisitSubscribeRequest)

    var kind: Kind {
      switch self {
      case .position: .position
      case .sky: .sky
      case .heading: .heading
      case .status: .status
      case .visits: .visits
      }
    }

    /// Those of every kind, each name once.
    static let fields: [FieldDescription] =
      [SkySubscribeRequest.parameters, HeadingSubscribeRequest.parameters].reduce(PositionSubscribeRequest.parameters) {
        fields, more in fields + more.filter { field in !fields.contains { $0.name == field.name } }
      }
  }
}

extension SubscriptionObject {
  private enum CodingKeys: CodingKey {
    case subscription, kind, state, availability, updates, parameters
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let parameters: Parameters =
      switch try container.decode(Kind.self, forKey: .kind) {
      case .position: .position(try container.decode(PositionSubscribeRequest.self, forKey: .parameters))
      case .sky: .sky(try container.decode(SkySubscribeRequest.self, forKey: .parameters))
      case .heading: .heading(try container.decode(HeadingSubscribeRequest.self, forKey: .parameters))
      case .status: .status(try container.decode(StatusSubscribeRequest.self, forKey: .parameters))
      case .visits: .visits(try container.decode(VisitSubscribeRequest.self, forKey: .parameters))
      }
    self.init(
      subscription: try container.decode(Int.self, forKey: .subscription), parameters: parameters,
      state: try container.decode(State.self, forKey: .state),
      availability: try container.decode(Availability.self, forKey: .availability),
      updates: try container.decode(Int.self, forKey: .updates))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.subscription, forKey: .subscription)
    try container.encode(self.kind, forKey: .kind)
    try container.encode(self.state, forKey: .state)
    try container.encode(self.availability, forKey: .availability)
    try container.encode(self.updates, forKey: .updates)
    switch self.parameters {
    case .position(let asked): try container.encode(asked, forKey: .parameters)
    case .sky(let asked): try container.encode(asked, forKey: .parameters)
    case .heading(let asked): try container.encode(asked, forKey: .parameters)
    case .status(let asked): try container.encode(asked, forKey: .parameters)
    case .visits(let asked): try container.encode(asked, forKey: .parameters)
    }
  }
}
