package import JSONRPC

/// Sample data of a daemon about permission.
extension Samples {
  /// An authorization.
  package static func authorization(
    _ state: String, _ precision: String = "precise", rule: String? = nil, remedy: String? = nil
  ) -> JSONValue {
    var authorization: [String: JSONValue] = ["state": .string(state), "precision": .string(precision)]
    authorization["rule"] = rule.map { .string($0) }
    authorization["remedy"] = remedy.map { .string($0) }
    return .object(authorization)
  }

  /// The parameters of `authorization.changed`.
  package static func changed(_ authorization: JSONValue, from previous: JSONValue) -> JSONValue {
    authorization.with(["previous": previous])
  }

  /// A program that requests the position, with text that a terminal must not get.
  package static let asker: JSONValue = [
    "uid": 1000, "user": "ada", "groups": [1000, 27], "pid": 4242, "unit": "tracker.service",
    "name": "map\u{1b}[2J", "purpose": "shows the way",
  ]

  /// The parameters of `agent.authorize`.
  package static func prompt(
    _ level: String = "whenInUse", _ precision: String = "precise", of principal: JSONValue = Samples.asker,
    expiresIn: Double = 120
  ) -> JSONValue {
    [
      "principal": principal, "level": .string(level), "precision": .string(precision),
      "expiresIn": .number(expiresIn),
    ]
  }

  /// A decision for one user.
  package static func grant(
    _ user: String, _ uid: Int, _ level: String, _ precision: String? = nil
  ) -> JSONValue {
    var grant: [String: JSONValue] = [
      "uid": .integer(uid), "user": .string(user), "level": .string(level), "time": "2026-01-31T12:00:00.000Z",
    ]
    grant["precision"] = precision.map { .string($0) }
    return .object(grant)
  }
}
