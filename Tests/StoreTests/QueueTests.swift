import Broker
import EventLoop
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import Store

/// Changes that wait for the disk, and their actions.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct QueueTests {
  @Test("Waiting actions run once their changes are stored, in order, on the loop")
  func order() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      for number in 1...500 { fixture.store(number) }
      #expect(fixture.done.isEmpty, "something happened before it was kept")
      try loop.drive(until: "all") { fixture.done.count == 500 }
      #expect(fixture.done == Array(1...500))
      #expect(fixture.tables.kept == Array(1...500))
      #expect(fixture.wasAlwaysKept)
    }
  }

  @Test("Changes during a commit are committed together")
  func groupCommit() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.tables.close()
      for number in 1...50 { fixture.store(number) }
      // The first commit may have taken any of them, and waits.
      fixture.tables.open()
      try loop.drive(until: "all") { fixture.done.count == 50 }
      #expect(fixture.tables.commits <= 2)
    }
  }

  @Test("An empty change runs at once if nothing waits, and after all earlier ones otherwise")
  func noChanges() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.store(nil, then: 1)
      #expect(fixture.done == [1], "it did not happen inside the call")
      fixture.store(2)
      fixture.store(nil, then: 3)
      fixture.store(4)
      fixture.store(nil, then: 5)
      #expect(fixture.done == [1])
      try loop.drive(until: "all") { fixture.done.count == 5 }
      #expect(fixture.done == [1, 2, 3, 4, 5])
      fixture.store(nil, then: 6)
      #expect(fixture.done.last == 6)
      #expect(fixture.tables.kept == [2, 4])
    }
  }

  @Test("An action may store more, which runs after those that wait already")
  func nested() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.onDone = { number in
        if number == 1 {
          fixture.store(nil, then: 3)
          fixture.store(4)
        }
      }
      fixture.store(1)
      fixture.store(2)
      try loop.drive(until: "all") { fixture.done.count == 4 }
      #expect(fixture.done == [1, 2, 3, 4])
    }
  }

  @Test(
    "While the disk fails no action runs and that is logged once; when it works again, all run in order")
  func failure() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.tables.fail("the disk is full")
      for number in 1...20 { fixture.store(number) }
      fixture.store(nil, then: 21)
      try loop.drive(until: "the error") { !fixture.errors.isEmpty }
      try loop.drive(until: "a second attempt") { fixture.tables.attempts >= 3 }
      fixture.store(22)
      #expect(fixture.done.isEmpty && fixture.tables.kept.isEmpty)
      #expect(fixture.errors == ["store: the disk is full"])
      #expect(
        fixture.messages == ["cannot store anything now; retrying, and answers wait: store: the disk is full"])
      fixture.tables.fail(nil)
      try loop.drive(until: "all") { fixture.done.count == 22 }
      #expect(fixture.done == Array(1...22))
      #expect(fixture.errors == ["store: the disk is full", nil])
      #expect(fixture.messages.last == "storing works again; the waiting changes are stored")
    }
  }

  @Test("Attempts become rarer, and new changes do not make them more frequent")
  func backoff() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.tables.fail("the disk is full")
      let began = Clocks.system.sinceBoot()
      var number = 0
      while Clocks.system.sinceBoot() - began < .seconds(1) {
        number += 1
        fixture.store(number)
        try loop.drive(for: .milliseconds(5))
      }
      // However long that took on this machine: the pauses are 0.25, 0.5, 1, 2 s and so on.
      let spent = (Clocks.system.sinceBoot() - began).seconds
      let most = 1 + (1...10).count { spent >= 0.25 * Double((1 << $0) - 1) }
      #expect((1...most).contains(fixture.tables.attempts), "\(fixture.tables.attempts) in \(spent) s")
    }
  }

  @Test("Closing stores waiting changes and runs their actions before it returns")
  func close() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      for number in 1...100 { fixture.store(number) }
      fixture.store(nil, then: 101)
      fixture.queue.close()
      #expect(fixture.done == Array(1...101))
      #expect(fixture.tables.isTidy)
      fixture.store(102)
      #expect(fixture.refused.map(\.reason) == ["positiond is stopping"])
      fixture.store(nil, then: 103)
      #expect(fixture.done.last == 103)
      fixture.queue.close()
      #expect(fixture.messages.isEmpty)
    }
  }

  @Test("Closing does not wait for a failing disk, and reports the lost changes")
  func closeWhileFailing() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.tables.fail("the disk is full")
      for number in 1...3 { fixture.store(number) }
      fixture.queue.close()
      #expect(fixture.done.isEmpty)
      #expect(fixture.messages.last == "3 changes were not stored, and no answer said that they were")
    }
  }

  @Test(
    "What a failing disk does not take is offered to the file beside it, once the broker has taken back what it must")
  func aside() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.tables.fail("the disk is full")
      // Such as the end of a grant that could not be stored.
      fixture.onError = { if $0 != nil { fixture.store(2) } }
      fixture.store(1)
      try loop.drive(until: "the first") { !fixture.tables.aside.isEmpty }
      #expect(fixture.tables.aside.first == [1, 2])
      fixture.store(3)
      try loop.drive(until: "the third") { fixture.tables.aside.last == [1, 2, 3] }
      fixture.tables.fail(nil)
      try loop.drive(until: "all") { fixture.done.count == 3 }
      // The next error is unknown until the broker has it.
      let before = fixture.tables.aside.count
      fixture.onError = { _ in #expect(fixture.tables.aside.count == before) }
      fixture.tables.fail("the disk is broken")
      fixture.store(4)
      try loop.drive(until: "the fourth") { fixture.tables.aside.last == [4] }
    }
  }

  @Test("What a closing queue cannot store is offered to the file beside, with what the broker takes back then")
  func asideAtTheEnd() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.tables.fail("the disk is full")
      fixture.onError = { if $0 != nil { fixture.store(2) } }
      fixture.store(1)
      fixture.queue.close()
      #expect(fixture.tables.aside.last == [1, 2] && fixture.done.isEmpty)
    }
  }

  @Test("A queue that is released without closing stores nothing more, and runs nothing")
  func dropped() async throws {
    try await withLoop { loop in
      let fixture = try QueueFixture(on: loop)
      fixture.tables.close()
      for number in 1...3 { fixture.store(number) }
      fixture.tables.open()
      fixture.drop()
      _ = try loop.runOnce(timeout: .zero)
      #expect(fixture.done.isEmpty)
    }
  }
}
