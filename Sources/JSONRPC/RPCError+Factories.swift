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
