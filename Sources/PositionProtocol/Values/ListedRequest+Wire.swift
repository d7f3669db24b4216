public import JSONRPC
public import Positioning

/// An open request, as `request.list` shows it.
public struct ListedRequest: WireObject, Hashable {
  /// The request's id.
  public var request: RequestID
  public var info: RequestInfo

  public init(request: RequestID, _ info: RequestInfo) {
    self.request = request
    self.info = info
  }

  public static let wire = ObjectCodec<ListedRequest>(
    "Request",
    blank: ListedRequest(request: 0, RequestInfo(asked: .fix(FixRequest()), elapsed: .zero, remaining: .zero))
  ) {
    Field.required("request", \.request, RequestID.codec, example: 7, "The request's id.")
    Field.required("method", \.info.asked.method, .string, example: "position.get", "The method.")
    Field(
      "parameters",
      describe: { _ in
        FieldDescription(
          "parameters", .object(FixRequest.wire.descriptions),
          example: [
            "accuracy": "house", "acceptableAccuracy": "house", "maxAge": 15, "timeout": 30, "activity": "other",
          ],
          "The parameters of the method, with the defaults filled in.")
      },
      write: { request, key, writer in
        writer.key(key)
        switch request.info.asked {
        case .fix(let asked): FixRequest.wire.write(asked, &writer)
        case .heading(let asked): HeadingRequest.wire.write(asked, &writer)
        }
      },
      read: { (view: JSONView?, context: ReadingContext, request: inout ListedRequest) throws(CodingFailure) in
        guard let view else { throw .found("missing", expected: Schema.object([]).expectation) }
        // The method was read before, because the parameters depend on it.
        switch request.info.asked {
        case .fix: request.info.asked = .fix(try FixRequest.wire.read(view, context))
        case .heading: request.info.asked = .heading(try HeadingRequest.wire.read(view, context))
        }
      })
    Field.required(
      "elapsed", \.info.elapsed, .seconds(.nonNegative), example: 12.5, "Seconds since it was received.")
    Field.required(
      "remaining", \.info.remaining, .seconds(.nonNegative), example: 17.5, "Seconds until its timeout.")
  }
}

extension RequestInfo.Asked {
  /// Its name on the wire. It is set before the parameters are read, which depend on it.
  fileprivate var method: String {
    get {
      switch self {
      case .fix: PositionGetRequest.method
      case .heading: HeadingGetRequest.method
      }
    }
    set { self = newValue == HeadingGetRequest.method ? .heading(HeadingRequest()) : .fix(FixRequest()) }
  }
}
