import Broker
import EventLoop
import JSONRPC
import Positioning
import ReceiverPorts

/// Each possible authorization of a client, with each precision if that matters.
enum AuthorizationCase: String, CaseIterable {
  case notDetermined, denied, restricted, disabled
  case whenInUseReduced, whenInUsePrecise, alwaysReduced, alwaysPrecise

  static let uid: UInt32 = 4242
  static let user = "ada"

  var settings: BrokerSettings {
    var settings = BrokerSettings()
    var rule = AccessRule(name: "ada")
    rule.user = Self.user
    switch self {
    case .notDetermined, .denied: return settings
    case .restricted: rule.grant = .deny
    case .disabled: settings.access.isEnabled = false
    case .whenInUseReduced, .whenInUsePrecise: rule.grant = .whenInUse
    case .alwaysReduced, .alwaysPrecise: rule.grant = .always
    }
    if self.isReduced { rule.precision = .reduced }
    settings.access.rules = [rule]
    return settings
  }

  var stored: StoredState {
    var stored = StoredState()
    if self == .denied {
      stored.decisions[Self.uid] = Decision(user: Self.user, level: nil, at: Instant(sinceBoot: .zero))
    }
    return stored
  }

  var isReduced: Bool { self == .whenInUseReduced || self == .alwaysReduced }
  var isAlways: Bool { self == .alwaysReduced || self == .alwaysPrecise }

  /// The error for messages that disclose the position; `nil` if that is granted.
  var refusal: Int? {
    switch self {
    case .notDetermined: -32004
    case .denied: -32001
    case .restricted: -32002
    case .disabled: -32003
    case .whenInUseReduced, .whenInUsePrecise, .alwaysReduced, .alwaysPrecise: nil
    }
  }

  /// What its messages may disclose.
  var allowed: Set<Disclosure> {
    if self.refusal != nil { return [] }
    return self.isReduced ? [.rough] : [.rough, .fine]
  }
}

/// How much of the position a message discloses, by its members.
enum Disclosure: Hashable {
  /// A reduced fix with nothing but its place, its times and constants; or a result that was judged by it.
  case rough
  case fine

  /// The keys that a reduced fix may have.
  private static let roughKeys: Set<String> = [
    "latitude", "longitude", "horizontalAccuracy", "horizontalAccuracy95", "time", "arrival", "age", "mode", "status",
    "reduced",
  ]
  /// Members that disclose the place, the path or the sky anywhere.
  private static let fineKeys: Set<String> = [
    "trueHeading", "magneticHeading", "satellites", "satellitesSeen", "satellitesUsed", "lastFix", "visit", "speed",
    "course", "altitude", "hdop", "probability",
  ]

  static func all(in value: JSONValue, reduced: Bool = false) -> Set<Disclosure> {
    switch value {
    case .object(let object):
      var disclosed: Set<Disclosure> = []
      // A client's own region has a place too, but no accuracy.
      if object["latitude"] != nil, object["horizontalAccuracy"] != nil {
        let isRough =
          object["reduced"] == true && object["horizontalAccuracy"] == 2000 && object["mode"] == "2d"
          && object["status"] == "gnss" && Set(object.keys).isSubset(of: Self.roughKeys)
        disclosed.insert(isRough ? .rough : .fine)
      }
      if !Self.fineKeys.isDisjoint(with: object.filter { $0.value != .null && $0.value != [] }.keys) {
        // The probability that the reduced position is inside.
        if Set(object.keys).isDisjoint(with: Self.fineKeys.subtracting(["probability"])),
          object["fix"]?["reduced"] == true
        {
          disclosed.insert(.rough)
        } else {
          disclosed.insert(.fine)
        }
      }
      if object["state"] == "inside" || object["state"] == "outside" { disclosed.insert(.rough) }
      return object.values.reduce(disclosed) { $0.union(Self.all(in: $1)) }
    case .array(let array): return array.reduce([]) { $0.union(Self.all(in: $1)) }
    default: return []
    }
  }
}

extension LiveServer {
  /// A server for which every client has that authorization.
  convenience init(authorization: AuthorizationCase) throws {
    try self.init(
      broker: authorization.settings, stored: authorization.stored,
      principal: Principal(uid: AuthorizationCase.uid, gid: 100, pid: 1, user: AuthorizationCase.user))
  }

  func sky() {
    self.report(
      .source(.streaming),
      .sky(
        SkyReport(
          device: "/dev/test",
          satellites: [Sky.Satellite(constellation: .gps, svid: 7, elevation: 40, azimuth: 80, snr: 40, isUsed: true)],
          arrival: Clocks.system.sinceBoot())))
  }

  func attitude() {
    self.report(
      .source(.streaming),
      .attitude(AttitudeReport(device: "/dev/test", heading: 90, arrival: Clocks.system.sinceBoot())))
  }
}
