package import JSONRPC

/// Sample data for tests that play a daemon.
package enum Samples {
  package static let hello: JSONValue = [
    "server": ["name": "positiond", "version": "0.1.0"], "protocol": "1.0", "capabilities": [],
    "principal": ["uid": 1000, "user": "ada", "groups": [1000], "pid": 42],
    "authorization": ["state": "always", "precision": "precise"],
    "limits": [
      "frame": 65536, "batch": 256, "requests": 256, "subscriptions": 256, "regions": 10_000, "names": 32,
      "inboxEvents": 1000, "maxRequestTime": 3600,
    ],
  ]

  package static let fix: JSONValue = [
    "latitude": 48.137154, "longitude": 11.576124, "horizontalAccuracy": 11, "horizontalAccuracy95": 17.7,
    "altitude": 545, "speed": 1.2, "course": 271, "arrival": 1000, "age": 0.4, "mode": "3d", "status": "gnss",
    "device": "/dev/ttyACM0", "satellitesUsed": 9,
  ]

  package static let subscription: JSONValue = ["subscription": 7, "state": "delivering", "availability": "available"]

  /// The result of a successful `position.get`.
  package static let success: JSONValue = [
    "status": "success", "satisfied": true, "fix": fix, "achievedAccuracy": "house", "fromCache": false, "elapsed": 2.5,
    "diagnostics": ["availability": "available", "power": "on"],
  ]

  /// The result of a `position.get` without a fix.
  package static let timedOut: JSONValue = [
    "status": "timedOut", "satisfied": false, "fromCache": false, "elapsed": 30,
    "diagnostics": ["availability": "searching", "power": "on", "satellitesSeen": 4, "satellitesUsed": 0],
  ]

  package static func update(
    _ subscription: Int = 7, latitude: Double = 48.137154, arrival: Double = 1000, isReplay: Bool = false
  ) -> JSONValue {
    let fix = self.fix.with(["latitude": .number(latitude), "arrival": .number(arrival)])
    var update: [String: JSONValue] = [
      "subscription": .integer(subscription), "state": "delivering", "availability": "available", "fix": fix,
      "achievedAccuracy": "house",
    ]
    if isReplay { update["replay"] = true }
    return .object(update)
  }

  package static let status: JSONValue = [
    "version": "0.1.0", "uptime": 90_000,
    "receiver": [
      "device": "/dev/ttyACM0", "driver": "u-blox", "availability": "available", "since": "2026-01-31T11:57:00.000Z",
    ],
    "power": [
      "state": "on", "rung": "watch", "since": "2026-01-31T11:56:00.000Z", "onSeconds": 2520,
      "dutyCycle": ["hour": 0.12, "day": 0.03],
      "starts": ["total": 3], "periods": [], "timeToFirstFix": [:],
    ],
    "gpsd": ["state": "streaming", "version": "3.22", "address": "127.0.0.1:2947", "reconnects": 1],
    "demand": [
      "accuracy": 5, "interval": 1, "activity": "other",
      "clients": [
        [
          "principal": [
            "uid": 1000, "user": "ada", "groups": [1000], "pid": 42, "name": "map\u{1b}[2J", "purpose": "shows the way",
          ], "what": "position.subscribe", "accuracy": 5, "interval": 1, "activity": "other", "decisive": true,
        ],
        [
          "principal": ["uid": 1001, "groups": [1001], "pid": 43], "what": "position.get", "accuracy": 100,
          "interval": 10,
          "activity": "other",
        ],
      ],
    ],
    "reports": ["received": 120, "fixes": 110, "rejected": ["duplicate": 8, "noFix": 2]],
    "lastFix": ["age": 0.4, "level": "house"], "clients": 3, "requests": 1, "subscriptions": 2,
    "denials": 4,
  ]

  /// A value of a type on the wire, from its JSON.
  ///
  /// - Parameter moment: The moment of reading, for ages and times by the wall clock.
  package static func decoded<Value: WireValue>(
    _ value: JSONValue, as type: Value.Type = Value.self, moment: CodingMoment = .none
  ) throws -> Value {
    let context = ReadingContext(moment: moment, leniency: [.members, .values])
    return try Value.codec.decode(value.encoded(), context: context)
  }
}
