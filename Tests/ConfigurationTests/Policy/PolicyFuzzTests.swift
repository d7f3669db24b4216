import Broker
import Positioning
import Testing

@testable import Configuration

/// Policy files in every notation, compared with a separate reader that follows the documentation.
@Suite struct PolicyFuzzTests {
  private static let filesForEachSeed = 400

  @Test(
    "a policy file, however it is written or damaged, grants exactly what it says",
    arguments: 0..<10 as Range<UInt64>)
  func strictest(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var tally = Tally()
    for number in 0..<Self.filesForEachSeed {
      let files = PolicyFiles(random: &random).files
      // A file with an error is rejected completely, so none of its rules can grant.
      guard case .success(var settings) = Settings.load(from: files) else {
        tally.refused += 1
        continue
      }
      tally.loaded += 1
      settings.resolveRules(users: { Society.users[$0] }, groups: Society.group)
      let policy = settings.broker.access
      let text = PolicyText(files)
      for _ in 0..<6 {
        let client = Society.client(random: &random)
        let decision = Society.decision(random: &random)
        let isSwitchedOn = Int.random(in: 0..<10, using: &random) > 0
        let access = policy.access(of: client, decision: decision, isSwitchedOn: isSwitchedOn)
        let found = Reading(access)
        let read = text.reading(of: client, decision: decision, isSwitchedOn: isSwitchedOn)
        tally.count(found)
        guard found.isWithin(read), found == read else {
          Issue.record(
            """
            seed \(seed), file \(number): \(client), \(String(describing: decision)), switch \(isSwitchedOn)
            got  \(found)
            read \(read)\(found.isWithin(read) ? "" : ": MORE than the file says")
            \(files.map { "--- \($0.path)\n" + String(decoding: $0.contents, as: UTF8.self) }.joined(separator: "\n"))
            """)
          return
        }
      }
    }
    // If all were refused, or all equal, this would test nothing.
    #expect(tally.refused > Self.filesForEachSeed / 20, "\(tally)")
    #expect(tally.loaded > Self.filesForEachSeed / 2, "\(tally)")
    #expect(
      tally.granted > 100 && tally.restricted > 100 && tally.reduced > 20 && tally.administrators > 20, "\(tally)")
  }

  private struct Tally {
    var loaded = 0
    var refused = 0
    var granted = 0
    var reduced = 0
    var restricted = 0
    var administrators = 0

    mutating func count(_ reading: Reading) {
      if reading.level > 0 { self.granted += 1 }
      if reading.level > 0, !reading.isPrecise { self.reduced += 1 }
      if reading.state == "restricted" { self.restricted += 1 }
      if reading.isAdministrator { self.administrators += 1 }
    }
  }
}

/// A client's access, in the documentation's terms.
struct Reading: Hashable {
  var state: String
  /// If something is granted.
  var isPrecise = false
  var rule: String?
  /// Seconds.
  var interval = 0
  var wake: Set<String> = []
  var agent = "no"
  var isAdministrator = false
  var isAskable = false

  init(state: String) { self.state = state }

  init(_ access: Access) {
    self.state = access.authorization.state.rawValue
    self.isPrecise = access.feed?.precision == .precise
    self.rule = access.authorization.rule
    self.interval = Int(access.minInterval.components.seconds)
    self.wake = Set(access.wake)
    self.agent =
      switch access.agent {
      case .none: "no"
      case .own: "yes"
      case .all: "all"
      }
    self.isAdministrator = access.isAdministrator
    self.isAskable = access.isAskable
  }

  /// 0: nothing, 1: while connected, 2: always.
  var level: Int { ["whenInUse": 1, "always": 2][self.state] ?? 0 }

  /// Whether it gives no more than the other.
  func isWithin(_ other: Reading) -> Bool {
    let agents = ["no", "yes", "all"]
    return self.level <= other.level && (!self.isPrecise || other.isPrecise)
      && (self.level == 0 || self.interval >= other.interval) && self.wake.isSubset(of: other.wake)
      && (agents.firstIndex(of: self.agent) ?? 3) <= (agents.firstIndex(of: other.agent) ?? 0)
      && (!self.isAdministrator || other.isAdministrator) && (!self.isAskable || other.isAskable)
  }
}

/// The users, groups and units, and the system's lookups of them.
enum Society {
  static let users: [String: UInt32] = ["root": 0, "ada": 1000, "bob": 1001, "lent": 61200]
  static let userNames = ["root", "ada", "bob", "lent", "nobody-yet"]
  static let groupNames = ["position", "staff", "wheel", "gone", "far"]
  static let units = ["map.service", "track@bike.service", "other.service"]

  static func group(_ name: String) -> AccessRule.GroupSelector {
    switch name {
    case "position": .number(50)
    case "staff": .number(51)
    case "wheel": .number(0)
    case "far": .unknown
    default: .absent
    }
  }

  static func client(random: inout SeededRandom) -> Principal {
    let name: String? = Int.random(in: 0..<6, using: &random) == 0 ? nil : userNames.randomElement(using: &random)
    // A number whose name has changed since the rules were read, sometimes.
    let uids: [UInt32] = [0, 1000, 1001, 61200, 65534]
    let fitting = name.flatMap { self.users[$0] }
    let uid =
      fitting.flatMap { Int.random(in: 0..<5, using: &random) == 0 ? nil : $0 } ?? uids.randomElement(using: &random)
    let unit: PeerUnit =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .none
      case 1: .unknown
      default: .named(self.units.randomElement(using: &random) ?? "")
      }
    return Principal(
      uid: uid ?? 1000, gid: [1000, 51, 0].randomElement(using: &random) ?? 0,
      groups: [50, 51, 7].filter { _ in Bool.random(using: &random) }, user: name, unit: unit)
  }

  static func decision(random: inout SeededRandom) -> Decision? {
    guard Bool.random(using: &random) else { return nil }
    return Decision(
      user: self.userNames.randomElement(using: &random) ?? "",
      level: ([nil, .whenInUse, .always] as [AuthorizationLevel?]).randomElement(using: &random) ?? nil,
      precision: Bool.random(using: &random) ? .precise : .reduced, at: .boot)
  }
}
