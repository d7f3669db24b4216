import Broker
import EventLoop
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import Store

/// What waits for the disk, and when it happens.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct QueueTests {
  @Test("What waits happens once it is kept, in order, on the loop")
  func order() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      for number in 1...500 { stage.store(number) }
      #expect(stage.done.isEmpty, "something happened before it was kept")
      try loop.drive(until: "all") { stage.done.count == 500 }
      #expect(stage.done == Array(1...500))
      #expect(stage.tables.kept == Array(1...500))
      #expect(stage.wasAlwaysKept)
    }
  }

  @Test("What comes while a commit is under way is committed together")
  func groupCommit() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      stage.tables.close()
      for number in 1...50 { stage.store(number) }
      // The first commit may have taken any of them, and waits.
      stage.tables.open()
      try loop.drive(until: "all") { stage.done.count == 50 }
      #expect(stage.tables.commits <= 2)
    }
  }

  @Test("No changes wait for nothing where nothing waits, and for all before them where something does")
  func noChanges() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      stage.store(nil, then: 1)
      #expect(stage.done == [1], "it did not happen inside the call")
      stage.store(2)
      stage.store(nil, then: 3)
      stage.store(4)
      stage.store(nil, then: 5)
      #expect(stage.done == [1])
      try loop.drive(until: "all") { stage.done.count == 5 }
      #expect(stage.done == [1, 2, 3, 4, 5])
      stage.store(nil, then: 6)
      #expect(stage.done.last == 6)
      #expect(stage.tables.kept == [2, 4])
    }
  }

  @Test("What happens may store more, which comes after what waits already")
  func nested() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      stage.onDone = { number in
        if number == 1 {
          stage.store(nil, then: 3)
          stage.store(4)
        }
      }
      stage.store(1)
      stage.store(2)
      try loop.drive(until: "all") { stage.done.count == 4 }
      #expect(stage.done == [1, 2, 3, 4])
    }
  }

  @Test("While the disk takes nothing nothing happens, that is told once, and all happens in order when it does again")
  func failure() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      stage.tables.fail("the disk is full")
      for number in 1...20 { stage.store(number) }
      stage.store(nil, then: 21)
      try loop.drive(until: "the trouble") { !stage.troubles.isEmpty }
      try loop.drive(until: "a second attempt") { stage.tables.attempts >= 3 }
      stage.store(22)
      #expect(stage.done.isEmpty && stage.tables.kept.isEmpty)
      #expect(stage.troubles == ["store: the disk is full"])
      #expect(
        stage.messages == ["cannot store anything now; retrying, and answers wait: store: the disk is full"])
      stage.tables.fail(nil)
      try loop.drive(until: "all") { stage.done.count == 22 }
      #expect(stage.done == Array(1...22))
      #expect(stage.troubles == ["store: the disk is full", nil])
      #expect(stage.messages.last == "storing works again; the waiting changes are stored")
    }
  }

  @Test("Attempts become rarer, and new changes do not make them more frequent")
  func backoff() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      stage.tables.fail("the disk is full")
      let began = EventLoop.readClock()
      var number = 0
      while EventLoop.readClock() - began < .seconds(1) {
        number += 1
        stage.store(number)
        try loop.drive(for: .milliseconds(5))
      }
      // However long that took on this machine: the pauses are 0.25, 0.5, 1, 2 s and so on.
      let spent = (EventLoop.readClock() - began).seconds
      let most = 1 + (1...10).count { spent >= 0.25 * Double((1 << $0) - 1) }
      #expect((1...most).contains(stage.tables.attempts), "\(stage.tables.attempts) in \(spent) s")
    }
  }

  @Test("Closing keeps what waits, and does what waits for it, before it returns")
  func close() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      for number in 1...100 { stage.store(number) }
      stage.store(nil, then: 101)
      stage.queue.close()
      #expect(stage.done == Array(1...101))
      #expect(stage.tables.isTidy)
      stage.store(102)
      #expect(stage.refused.map(\.reason) == ["positiond is stopping"])
      stage.store(nil, then: 103)
      #expect(stage.done.last == 103)
      stage.queue.close()
      #expect(stage.messages.isEmpty)
    }
  }

  @Test("Closing does not wait for a disk that takes nothing, and says what is lost")
  func closeInTrouble() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      stage.tables.fail("the disk is full")
      for number in 1...3 { stage.store(number) }
      stage.queue.close()
      #expect(stage.done.isEmpty)
      #expect(stage.messages.last == "3 changes were not stored; none of them was confirmed to a client")
    }
  }

  @Test("A queue that goes without being closed keeps nothing more, and nothing happens")
  func dropped() async throws {
    try await withLoop { loop in
      let stage = try QueueStage(on: loop)
      stage.tables.close()
      for number in 1...3 { stage.store(number) }
      stage.tables.open()
      stage.drop()
      _ = try loop.runOnce(timeout: .zero)
      #expect(stage.done.isEmpty)
    }
  }
}
