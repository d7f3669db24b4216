/// Why a request has no result.
///
/// `code` is for programs, `message` for people, `data` has details for either.
public struct RPCError: Error, Hashable, Sendable {
  /// The kind of the error. Codes that this version does not know are kept.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
  }

  public var code: Code
  public var message: String
  public var data: JSONValue?

  public init(code: Code, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}

extension RPCError: WireObject {
  public static let wire = ObjectCodec<RPCError>(blank: RPCError(code: .internalError, message: "")) {
    Field.required(
      "code", \.code,
      Codec.integer(minimum: nil).map(to: { RPCError.Code(rawValue: $0) }, from: { $0.rawValue }), example: -32602,
      "What kind of error it is, for programs.")
    Field.required("message", \.message, .string, example: "Not found: subscription 7", "The error for people.")
    Field.optional(
      "data", \.data, JSONValue.codec, example: ["remedy": "sudo positionctl enable"], "More of it for either.")
  }
}

extension RPCError.Code {
  /// The text is not JSON.
  public static let parseError = Self(rawValue: -32700)
  /// The JSON is not a request.
  public static let invalidRequest = Self(rawValue: -32600)
  public static let methodNotFound = Self(rawValue: -32601)
  public static let invalidParams = Self(rawValue: -32602)
  /// A defect of the server.
  public static let internalError = Self(rawValue: -32603)
  /// The client cancelled the request.
  public static let requestCancelled = Self(rawValue: -32800)
  /// A person answered no.
  public static let denied = Self(rawValue: -32001)
  /// A rule of the configuration denies it.
  public static let restricted = Self(rawValue: -32002)
  /// The master switch is off.
  public static let disabled = Self(rawValue: -32003)
  /// No rule grants it, and no person can be asked.
  public static let notDetermined = Self(rawValue: -32004)
  /// The client requested more precision than is granted.
  public static let accuracyLimited = Self(rawValue: -32005)
  /// This device cannot do it.
  public static let unavailable = Self(rawValue: -32006)
  /// A limit is reached.
  public static let limitExceeded = Self(rawValue: -32007)
  /// No such subscription, region or name.
  public static let notFound = Self(rawValue: -32008)
  /// The frame is longer than the limit; the connection closes.
  public static let frameTooLarge = Self(rawValue: -32009)
  /// The server is stopping.
  public static let shuttingDown = Self(rawValue: -32010)

  /// The codes above with their names in the documents, in the documents' order.
  public static let named: [(code: RPCError.Code, name: String)] = [
    (.parseError, "parseError"), (.invalidRequest, "invalidRequest"), (.methodNotFound, "methodNotFound"),
    (.invalidParams, "invalidParams"), (.internalError, "internalError"), (.requestCancelled, "requestCancelled"),
    (.denied, "denied"), (.restricted, "restricted"), (.disabled, "disabled"), (.notDetermined, "notDetermined"),
    (.accuracyLimited, "accuracyLimited"), (.unavailable, "unavailable"), (.limitExceeded, "limitExceeded"),
    (.notFound, "notFound"), (.frameTooLarge, "frameTooLarge"), (.shuttingDown, "shuttingDown"),
  ]
}

extension [RPCError.Code] {
  /// Those of a client that may not know the position.
  public static let permission: [RPCError.Code] = [.denied, .restricted, .disabled, .notDetermined]
}
