import Glibc
import Positioning
import TestSupport
import Testing

@testable import EventLoop

@Suite("Lookups of users and groups in a slow system", .timeLimit(.minutes(TestDeadline.minutes)))
struct AccountServiceTests {
  @Test("The real system knows root, on another thread")
  func root() async throws {
    try await withLoop { loop in
      let service = try AccountService(loop: loop)
      let answers = try service.wait(
        for: [.name(0), .user(0), .userNumber("root"), .groupNumber("root"), .name(4_123_456_789)],
        within: .seconds(30))
      #expect(answers.count == 5)
      #expect(answers[.name(0)] == .found(Account(number: 0, name: "root")))
      #expect(answers[.userNumber("root")] == .found(Account(number: 0, name: "root")))
      #expect(answers[.groupNumber("root")] == .found(Account(number: 0, name: "root")))
      #expect(answers[.name(4_123_456_789)] == .absent)
      if case .found(let root) = answers[.user(0)] { #expect(root.groups.first == 0) } else { Issue.record("no root") }
    }
  }

  @Test("A hanging lookup delays no other one, ends at its deadline, and its late answer is used")
  func hanging() async throws {
    try await withLoop { loop in
      let hang = Latch()
      let service = try AccountService(
        loop: loop,
        system: { question in
          if question == .name(1) { hang.wait() }
          return .found(Account(number: 7, name: "\(question)"))
        })
      let learned = Box<[AccountQuery]>([])
      service.onLearned = { question, account in if account != nil { learned.value.append(question) } }
      let (slow, quick) = (Box<AccountLookup<Account>?>(nil), Box<AccountLookup<Account>?>(nil))
      service.ask(.name(1)) { slow.value = $0 }
      service.ask(.name(2)) { quick.value = $0 }
      try loop.drive(until: "the quick answer") { quick.value != nil }
      #expect(slow.value == nil)
      try loop.drive(until: "the timeout") { slow.value != nil }
      #expect(slow.value == .unknown(SystemError(code: ETIMEDOUT, call: "look up user 1")))
      #expect(learned.value.isEmpty)
      hang.open()
      try loop.drive(until: "what was learned") { !learned.value.isEmpty }
      #expect(learned.value == [.name(1)])
    }
  }

  @Test("A start waits no longer than its limit")
  func start() async throws {
    try await withLoop { loop in
      let hang = Latch()
      defer { hang.open() }
      let service = try AccountService(
        loop: loop,
        system: { question in
          if question == .user(1) { hang.wait() }
          return .absent
        })
      let answers = try service.wait(for: [.user(1), .user(2)], within: .milliseconds(50))
      #expect(answers[.user(2)] == .absent)
      #expect(answers[.user(1)] == .unknown(SystemError(code: ETIMEDOUT, call: "look up user 1")))
    }
  }
}
