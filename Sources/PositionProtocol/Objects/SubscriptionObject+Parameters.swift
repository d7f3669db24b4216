import JSONRPC

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

    /// What such a subscription is asked for where nothing is said.
    init(of kind: Kind) {
      self =
        switch kind {
        case .position: .position(PositionSubscribeRequest())
        case .sky: .sky(SkySubscribeRequest())
        case .heading: .heading(HeadingSubscribeRequest())
        case .status: .status(StatusSubscribeRequest())
        case .visits: .visits(VisitSubscribeRequest())
        }
    }

    func write(_ writer: inout JSONWriter) {
      switch self {
      case .position(let asked): PositionSubscribeRequest.wire.write(asked, &writer)
      case .sky(let asked): SkySubscribeRequest.wire.write(asked, &writer)
      case .heading(let asked): HeadingSubscribeRequest.wire.write(asked, &writer)
      case .status(let asked): StatusSubscribeRequest.wire.write(asked, &writer)
      case .visits(let asked): VisitSubscribeRequest.wire.write(asked, &writer)
      }
    }

    /// Reads those of the same kind.
    func read(_ view: JSONView, _ context: ReadingContext) throws(CodingFailure) -> Parameters {
      switch self {
      case .position: .position(try PositionSubscribeRequest.wire.read(view, context))
      case .sky: .sky(try SkySubscribeRequest.wire.read(view, context))
      case .heading: .heading(try HeadingSubscribeRequest.wire.read(view, context))
      case .status: .status(try StatusSubscribeRequest.wire.read(view, context))
      case .visits: .visits(try VisitSubscribeRequest.wire.read(view, context))
      }
    }

    /// Those of every kind, each name once.
    static var fields: [FieldDescription] {
      [SkySubscribeRequest.parameters, HeadingSubscribeRequest.parameters].reduce(PositionSubscribeRequest.parameters) {
        fields, more in fields + more.filter { field in !fields.contains { $0.name == field.name } }
      }
    }
  }
}
