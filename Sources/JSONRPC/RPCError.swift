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

extension RPCError {
  /// -32700; `offset` counts bytes from 0, `line` and `column` from 1.
  public static func parseError(offset: Int, line: Int, column: Int, expected: String) -> RPCError {
    RPCError(
      code: .parseError, message: "Parse error at line \(line), column \(column): expected \(expected)",
      data: ["offset": .integer(offset), "expected": .string(expected)])
  }

  /// -32700 for bytes that are not a frame.
  public static func badFraming(_ reason: String) -> RPCError {
    RPCError(code: .parseError, message: "Parse error: \(reason)")
  }

  /// -32600.
  public static func invalidRequest(_ reason: String, data: JSONValue? = nil) -> RPCError {
    RPCError(code: .invalidRequest, message: "Invalid request: \(reason)", data: data)
  }

  /// -32601.
  public static func methodNotFound(_ method: String, remark: String = "") -> RPCError {
    RPCError(
      code: .methodNotFound, message: "Method not found: \(method.quoted)\(remark)",
      data: ["method": .string(method.shortened)])
  }

  /// -32602; `path` leads from `params` to the parameter, its steps joined by dots.
  public static func invalidParameter(path: String, found: String, expected: String) -> RPCError {
    RPCError(
      code: .invalidParams, message: "Invalid params: \(path) is \(found), expected \(expected)",
      data: ["path": .string(path), "found": .string(found), "expected": .string(expected)])
  }

  /// -32603 for a defect; the reason helps whoever reports it.
  public static func internalError(_ reason: String) -> RPCError {
    RPCError(code: .internalError, message: "Internal error: \(reason)")
  }

  /// -32603 for an error of the system that somebody can correct; `remedy` says who, and how.
  public static func internalError(_ reason: String, remedy: String) -> RPCError {
    RPCError(code: .internalError, message: "Internal error: \(reason)", data: ["remedy": .string(remedy)])
  }

  /// -32001; `decision` is the time of the answer, `remedy` says how to change it.
  public static func denied(_ what: String, decision: String?, remedy: String) -> RPCError {
    var data: [String: JSONValue] = ["remedy": .string(remedy)]
    if let decision { data["decision"] = .string(decision) }
    return RPCError(code: .denied, message: "Denied: \(what)", data: .object(data))
  }

  /// -32002; `remedy` says who can change that, and how; `rule` is the name of the rule that decided, if one did.
  public static func restricted(_ what: String, remedy: String, rule: String? = nil) -> RPCError {
    var data: [String: JSONValue] = ["remedy": .string(remedy)]
    if let rule { data["rule"] = .string(rule) }
    return RPCError(code: .restricted, message: "Restricted: \(what)", data: .object(data))
  }

  /// -32003; `remedy` says who can turn it on, and how.
  public static func switchedOff(remedy: String) -> RPCError {
    RPCError(
      code: .disabled, message: "Disabled: positions are turned off on this device",
      data: ["remedy": .string(remedy)])
  }

  /// -32004; `remedy` says what to do.
  public static func notDetermined(remedy: String) -> RPCError {
    RPCError(
      code: .notDetermined, message: "Not determined: nobody has said whether this client may know the position",
      data: ["remedy": .string(remedy)])
  }

  /// -32005; `what` says what is granted, `remedy` who can change that, and how.
  public static func accuracyLimited(_ what: String, remedy: String) -> RPCError {
    RPCError(
      code: .accuracyLimited, message: "Accuracy limited: \(what)", data: ["remedy": .string(remedy)])
  }

  /// -32800.
  public static let requestCancelled = RPCError(code: .requestCancelled, message: "Request cancelled")

  /// -32006; `what` says what this device lacks.
  public static func unavailable(_ what: String) -> RPCError {
    RPCError(code: .unavailable, message: "Unavailable: \(what)")
  }

  /// -32007; `limit` is the limit's name in the configuration, if it is set there.
  public static func limitExceeded(limit: String, value: Int) -> RPCError {
    RPCError(
      code: .limitExceeded, message: "Limit exceeded: \(limit) is \(value)",
      data: ["limit": .string(limit), "value": .integer(value)])
  }

  /// -32008; `what` names the thing, such as "subscription 7".
  public static func notFound(_ what: String) -> RPCError {
    RPCError(code: .notFound, message: "Not found: \(what)")
  }

  /// -32009; `limit` in bytes.
  public static func frameTooLarge(limit: Int) -> RPCError {
    RPCError(
      code: .frameTooLarge, message: "Frame too large: the limit is \(limit) bytes",
      data: ["limit": "max-frame", "value": .integer(limit)])
  }

  /// -32010.
  public static let shuttingDown = RPCError(code: .shuttingDown, message: "The daemon is stopping")
}
