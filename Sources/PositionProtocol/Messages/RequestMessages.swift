public import JSONRPC
public import Positioning

/// Lists the open requests of this connection.
public struct RequestListRequest: RequestType, WireObject, Hashable {
  public static let method = "request.list"
  public static let summary = "Lists the open requests of this connection."

  public init() {}

  public static let wire = ObjectCodec<RequestListRequest>(blank: RequestListRequest()) {}

  /// The open requests of this connection.
  public struct Result: WireObject, Hashable {
    /// The oldest first.
    public var requests: [ListedRequest]

    public init(requests: [ListedRequest]) {
      self.requests = requests
    }

    public static let wire = ObjectCodec<Result>(blank: Result(requests: [])) {
      Field.required(
        "requests", \.requests, .array(of: ListedRequest.codec), example: [ListedRequest.example],
        "The oldest first.")
    }
  }

  public static let result = ResultDescription(
    "result", Result.wire.schema, "The open requests of this connection.")
}

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

/// Ends an open request with the best fix so far, as its timeout would.
public struct RequestCompleteRequest: RequestType, WireObject, Hashable {
  public static let method = "request.complete"
  public static let summary = "Ends an open request with the best fix so far, as its timeout would."

  /// The request's id.
  public var request: RequestID

  public init(request: RequestID) {
    self.request = request
  }

  public static let wire = ObjectCodec<RequestCompleteRequest>(blank: RequestCompleteRequest(request: 0)) {
    Field.required("request", \.request, RequestID.codec, example: 7, "The request's id.")
  }

  public typealias Result = RequestOutcomeResult
  public static let result = ResultDescription(
    "outcome", RequestOutcomeResult.wire.schema, "What happened to the request.")
}

/// Ends an open request with the error -32800.
public struct RequestCancelRequest: RequestType, WireObject, Hashable {
  public static let method = "request.cancel"
  public static let summary = "Ends an open request with the error -32800."

  /// The request's id.
  public var request: RequestID

  public init(request: RequestID) {
    self.request = request
  }

  public static let wire = ObjectCodec<RequestCancelRequest>(blank: RequestCancelRequest(request: 0)) {
    Field.required("request", \.request, RequestID.codec, example: 7, "The request's id.")
  }

  public typealias Result = RequestOutcomeResult
  public static let result = ResultDescription(
    "outcome", RequestOutcomeResult.wire.schema, "What happened to the request.")
}

/// What happened to a request.
public struct RequestOutcomeResult: WireObject, Hashable {
  /// What happened to the request.
  public var outcome: RequestOutcome

  public init(outcome: RequestOutcome) {
    self.outcome = outcome
  }

  public static let wire = ObjectCodec<RequestOutcomeResult>(
    "RequestOutcomeResult", blank: RequestOutcomeResult(outcome: .fallback)
  ) {
    Field.required("outcome", \.outcome, RequestOutcome.codec, example: "completed", "What happened to the request.")
  }
}

/// Cancels a request: one of the client with the error -32800; one of the daemon, which needs no answer any more.
public struct CancelRequestNotification: NotificationType, WireObject, Hashable {
  public static let method = "$/cancelRequest"
  public static let summary =
    "Cancels a request: one of the client with the error -32800; one of the daemon, which needs no answer any more."

  /// The request's id.
  public var id: RequestID

  public init(id: RequestID) {
    self.id = id
  }

  public static let wire = ObjectCodec<CancelRequestNotification>(blank: CancelRequestNotification(id: 0)) {
    Field.required("id", \.id, RequestID.codec, example: 7, "The request's id.")
  }
}
