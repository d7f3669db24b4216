import Broker
import Positioning
import Testing

@testable import Configuration

/// Sections of which there may be many: `[rule NAME]`.
@Suite struct RuleTests {
  private static func rule(_ name: String, user: String? = nil, group: String? = nil, wake: [String] = [])
    -> AccessRule
  {
    var rule = AccessRule(name: name)
    rule.user = user
    rule.groupName = group
    rule.wake = wake
    return rule
  }

  @Test("rules are kept in the order in which they are first named, across the files")
  func order() throws {
    let read = try settings(
      "[rule late]\nuser=a\n[log]\n[rule early]\ngroup=b\n[rule late]\nwake=x.service",
      "[rule third]\nuser=c\n[rule early]\nuser=d")
    #expect(
      read.rules == [
        Self.rule("late", user: "a", wake: ["x.service"]), Self.rule("early", user: "d", group: "b"),
        Self.rule("third", user: "c"),
      ])
  }

  @Test("a later file overrides a rule key by key, and may empty one")
  func overriding() throws {
    let read = try settings(
      "[rule a]\nuser=alice\ngroup=users\nwake=a.service", "[rule a]\nuser=bob", "[rule a]\nwake=\ngroup=")
    #expect(read.rules == [Self.rule("a", user: "bob")])
  }

  @Test("blanks within the brackets do not make another rule")
  func blanks() throws {
    #expect(try settings("[ rule \t a ]\nuser=x\n[rule a]\ngroup=y").rules == [Self.rule("a", user: "x", group: "y")])
  }

  @Test("a rule without a selector is reported at its first line, in the order of the files")
  func noSelector() {
    let found = errors(
      in: ConfigurationFile("\n[rule a]\nwake=a.service\n[rule b]\n[log]\nlevel=loud", path: "first"),
      ConfigurationFile("[rule b]\nuser=\n[rule a]\n[rtcm]", path: "second"))
    #expect(found.map { String($0.prefix { $0 != " " }) } == ["first:2:", "first:4:", "first:6:", "second:4:"])
    #expect(found.first == "first:2: [rule a] names nobody; add user=NAME, group=NAME or unit=NAME.service")
  }

  @Test("a rule whose selector is an error is not also reported as one without a selector")
  func refusedSelector() {
    let found = errors(in: ConfigurationFile("[rule a]\nuser=1000\n[rule b]\nuserr=x"))
    #expect(
      found == [
        "test.conf:2: user=1000 in [rule a] cannot be read: expected nothing, or a user's name, not its number;"
          + " the default is user=",
        "test.conf:4: userr in [rule b] is not supported by this version; did you mean user? Else remove it, or use one of"
          + " user, group, unit, grant, precision, min-interval, wake, agent, admin, relay",
      ])
  }

  @Test("a rule has its selectors and grants, and absent keys have the least effect")
  func everything() throws {
    let read = try settings(
      """
      [rule full]
      user=ada
      group=position
      unit=map.service
      grant=whenInUse
      precision=reduced
      min-interval=5min
      wake=a.service
      agent=all
      admin=yes
      [rule bare]
      unit=track@bike.service
      """)
    var full = Self.rule("full", user: "ada", group: "position", wake: ["a.service"])
    full.unit = "map.service"
    full.grant = .whenInUse
    full.precision = .reduced
    full.minInterval = .seconds(300)
    full.agent = .all
    full.isAdministrator = true
    var bare = AccessRule(name: "bare")
    bare.unit = "track@bike.service"
    #expect(read.rules == [full, bare])
    #expect(bare.grant == nil && bare.precision == .precise && bare.minInterval == .zero)
    #expect(bare.agent == .none && !bare.isAdministrator)
  }

  @Test(
    "an impossible value in a rule is refused",
    arguments: [
      ("unit=map", "cannot be read"), ("unit=map.timer", "cannot be read"),
      ("unit=a.service b.service", "cannot be read"),
      ("grant=Always", "cannot be read"), ("grant=yes", "cannot be read"), ("grant=wheninuse", "cannot be read"),
      ("precision=", "cannot be read"), ("precision=rough", "cannot be read"), ("min-interval=soon", "cannot be read"),
      ("min-interval=-1", "cannot be read"), ("min-interval=25h", "is out of range"), ("agent=own", "cannot be read"),
      ("agent=", "cannot be read"), ("admin=", "cannot be read"), ("admin=maybe", "cannot be read"),
    ])
  func refused(line: String, reason: String) {
    let found = errors(in: ConfigurationFile("[rule a]\nuser=x\n\(line)"))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("test.conf:3: \(line) in [rule a] \(reason): expected") == true, "\(found)")
  }

  @Test("a day is the longest interval", arguments: ["24h", "1440min", "86400"])
  func longestInterval(text: String) throws {
    #expect(try settings("[rule a]\nuser=x\nmin-interval=\(text)").rules.first?.minInterval == .seconds(86400))
  }

  @Test("an agent for everybody needs a user in its rule; without one the key's line is reported, across the files")
  func agentForAll() {
    let message =
      " agent=all in [rule a] lets answer for every user, and no user is named: add user=NAME, or write agent=yes"
    #expect(errors(in: ConfigurationFile("[rule a]\ngroup=x\nagent=all")) == ["test.conf:3:\(message)"])
    #expect(errors(in: ConfigurationFile("[rule a]\nunit=x.service\nagent=all")) == ["test.conf:3:\(message)"])
    #expect(
      errors(
        in: ConfigurationFile("[rule a]\nuser=x\ngroup=x\nagent=all", path: "first"),
        ConfigurationFile("[rule a]\nuser=", path: "second")) == ["first:4:\(message)"])
    #expect(
      errors(
        in: ConfigurationFile("[rule a]\ngroup=x\nagent=yes", path: "first"),
        ConfigurationFile("[rule a]\nagent=all", path: "second")) == ["second:2:\(message)"])
  }

  @Test("an agent for everybody that a later file removes, or gives a user, is no error")
  func agentForAllMended() throws {
    let taken = try settings("[rule a]\ngroup=x\nagent=all", "[rule a]\nagent=yes")
    #expect(taken.rules.first?.agent == .own)
    let given = try settings("[rule a]\ngroup=x\nagent=all", "[rule a]\nuser=ada")
    #expect(given.rules.first?.agent == .all)
  }

  @Test("no rule may have the name that clients see for the default")
  func reservedName() {
    #expect(
      errors(in: ConfigurationFile("[rule default]\nuser=x"))
        == [
          "test.conf:1: [rule default] is the name that clients see where default= in [authorization] decides;"
            + " choose another name"
        ])
  }

  @Test(
    "a rule's name is short and plain",
    arguments: ["[rule]", "[rule a b]", "[rule a/b]", "[rule ä]", "[rule \(String(repeating: "x", count: 65))]"])
  func badName(section: String) {
    let title = section.dropFirst().dropLast()
    #expect(
      errors(in: ConfigurationFile("\(section)\nuser=x\ngrant=always"))
        == [
          "test.conf:1: [\(title)] has no name that a rule can have: expected at most 64 letters, digits or -_. such as"
            + " [rule members]"
        ])
  }

  @Test("a rule's name may have 64 bytes", arguments: ["a", "A-1_b.c", String(repeating: "x", count: 64)])
  func goodName(name: String) throws {
    #expect(try settings("[rule \(name)]\nuser=x").rules == [Self.rule(name, user: "x")])
  }

  @Test("a repeated key within one rule is reported, also across sections; in two rules it is no error")
  func repeatedKey() {
    #expect(
      errors(in: ConfigurationFile("[rule a]\nuser=x\n[rule b]\nuser=x\n[rule  a]\nuser=y"))
        == ["test.conf:6: user in [rule a] was set on line 2 already; remove one of them"])
  }

  @Test(
    "users and groups are names, of whatever alphabet, and need not exist",
    arguments: ["nobody-of-this-name", "jürgen", "CORP\\alice", "alice@example.org", "domain users", "7zip"])
  func accountNames(name: String) throws {
    #expect(try settings("[rule a]\nuser=\(name)\ngroup=\(name)").rules == [Self.rule("a", user: name, group: name)])
  }

  @Test("an impossible user name is refused", arguments: ["0", "1000", "a:b", "a,b", "/a"])
  func badAccountNames(name: String) {
    for key in ["user", "group"] {
      let found = errors(in: ConfigurationFile("[rule a]\n\(key)=\(name)"))
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("test.conf:2: \(key)=\(name) in [rule a] cannot be read: expected") == true)
    }
  }

  @Test(
    "units to wake are separated by blanks, and each counts once",
    arguments: [
      ("", []), ("a.service", ["a.service"]), ("a.service \t b@x.service", ["a.service", "b@x.service"]),
      ("a.service b.service a.service", ["a.service", "b.service"]),
    ] as [(String, [String])])
  func wake(text: String, units: [String]) throws {
    #expect(try settings("[rule a]\nuser=x\nwake=\(text)").rules == [Self.rule("a", user: "x", wake: units)])
  }

  @Test(
    "one invalid unit refuses the whole list",
    arguments: ["a", "a.timer", "a.service,b.service", "a.service /etc/b.service", "a@.service"])
  func badWake(text: String) {
    #expect(
      errors(in: ConfigurationFile("[rule a]\nuser=x\nwake=\(text)"))
        == [
          "test.conf:3: wake=\(text) in [rule a] cannot be read: expected names of service units with .service at"
            + " their ends, separated by spaces; the default is wake="
        ])
  }
}
