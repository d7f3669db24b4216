import EventLoop
import Testing

@Suite struct UserNameTests {
  @Test("A user has the name that the system knows it by, or none")
  func names() {
    #expect(UserName(of: 0) == .named("root"))
    #expect(UserName(of: 4_123_456_789) == .nobody)
  }
}
