import EventLoop
import Testing

@Suite struct UserNumberTests {
  @Test("A name has the number that the system knows it by, or none")
  func numbers() {
    #expect(UserNumber(of: "root") == .number(0))
    for name in ["", "no such user", "Root", "root\u{0}", "root\u{0}x"] { #expect(UserNumber(of: name) == .nobody) }
  }
}
