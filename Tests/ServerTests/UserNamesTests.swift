import EventLoop
import Positioning
import Testing

@testable import Server

@Suite("Names of users") struct UserNamesTests {
  @Test("A number that goes to another user has that one's name a second later")
  func reused() {
    var answer = UserName.named("ada")
    var asked = 0
    var names = UserNames { _ in
      asked += 1
      return answer
    }
    let start = Instant(sinceBoot: .seconds(100))
    #expect(names.name(of: 1000, now: start) == "ada")
    answer = .named("bob")
    #expect(names.name(of: 1000, now: start + .milliseconds(999)) == "ada")
    #expect(names.name(of: 1000, now: start + .seconds(1)) == "bob")
    #expect(asked == 2)
  }

  @Test("That there is no name, or that the system cannot say, is asked again as often")
  func nameless() {
    for answer in [UserName.nobody, .unknown(SystemError(code: 5, call: "look"))] {
      var asked = 0
      var names = UserNames { _ in
        asked += 1
        return answer
      }
      let start = Instant(sinceBoot: .seconds(100))
      for _ in 0..<3 { #expect(names.name(of: 1000, now: start) == nil) }
      #expect(asked == 1)
      #expect(names.name(of: 1000, now: start + UserNames.lasting) == nil)
      #expect(asked == 2)
    }
  }

  @Test("No more are kept than a second's crowd, and every one is answered")
  func crowd() {
    var asked = 0
    var names = UserNames { uid in
      asked += 1
      return .named("user\(uid)")
    }
    var now = Instant(sinceBoot: .seconds(100))
    let crowd = UInt32(2 * UserNames.maximum)
    for uid in 0..<crowd { #expect(names.name(of: uid, now: now) == "user\(uid)") }
    #expect(asked == Int(crowd))
    // Those that were kept are not asked for again, the others are.
    for uid in 0..<crowd { #expect(names.name(of: uid, now: now) == "user\(uid)") }
    #expect(asked == Int(crowd) + UserNames.maximum)
    // Later all of them make room.
    now = now + .seconds(2)
    #expect(names.name(of: crowd, now: now) == "user\(crowd)")
    #expect(names.name(of: crowd, now: now) == "user\(crowd)")
    #expect(asked == Int(crowd) + UserNames.maximum + 1)
  }
}
