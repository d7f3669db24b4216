import Broker
import Positioning
import Testing

@testable import Configuration

/// The broker's access settings.
@Suite struct AccessTests {
  @Test("the master switch and the default are read")
  func authorization() throws {
    #expect(Settings().broker.access == AccessPolicy())
    let policy = try settings("[authorization]\nenabled=no\ndefault=deny").broker.access
    #expect(!policy.isEnabled)
    #expect(policy.fallback == .deny)
  }

  @Test("a rule is read completely, with the system's numbers, in the order of the file")
  func rules() throws {
    var read = try settings(
      """
      [rule z]
      user=ada
      group=position
      unit=map.service
      grant=always
      precision=reduced
      min-interval=90s
      wake=a.service b.service
      agent=all
      admin=yes
      [rule a]
      user=nobody-yet
      group=no-group
      grant=deny
      [rule m]
      group=far-away
      """)
    let unresolved = read.rules
    read.resolveRules(users: { $0 == "ada" ? 1000 : nil }) {
      switch $0 {
      case "position": .number(50)
      case "far-away": .unknown
      default: .absent
      }
    }
    var first = AccessRule(name: "z")
    first.user = "ada"
    first.uid = 1000
    first.groupName = "position"
    first.group = .number(50)
    first.unit = "map.service"
    first.grant = .always
    first.precision = .reduced
    first.minInterval = .seconds(90)
    first.wake = ["a.service", "b.service"]
    first.agent = .all
    first.isAdministrator = true
    var second = AccessRule(name: "a")
    second.user = "nobody-yet"
    second.groupName = "no-group"
    second.group = .absent
    second.grant = .deny
    var third = AccessRule(name: "m")
    third.groupName = "far-away"
    #expect(read.rules == [first, second, third])
    // Until the group was looked up the rule grants nothing to anybody.
    #expect(unresolved.map(\.group) == [.unknown, .unknown, .unknown] && unresolved.allSatisfy { $0.uid == nil })
  }
}
