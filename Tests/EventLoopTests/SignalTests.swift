import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("Signals on the loop")
struct SignalTests {
  @Test("A signal calls its handler on the loop, until the watch is cancelled")
  func heard() async throws {
    let heard = try await withLoop { loop in
      var heard: [Int32] = []
      let first = try loop.onSignal(SIGUSR1) { heard.append(SIGUSR1) }
      let second = try loop.onSignal(SIGUSR2) { heard.append(SIGUSR2) }
      // Only to this thread, because signals of the process belong to all tests.
      pthread_kill(pthread_self(), SIGUSR1)
      try loop.drive(until: "the first signal") { heard == [SIGUSR1] }
      pthread_kill(pthread_self(), SIGUSR2)
      try loop.drive(until: "the second signal") { heard == [SIGUSR1, SIGUSR2] }
      first.cancel()
      // It is still blocked, or this would end the process.
      pthread_kill(pthread_self(), SIGUSR1)
      try settle(loop)
      withExtendedLifetime(second) {}
      return heard
    }
    #expect(heard == [SIGUSR1, SIGUSR2])
  }

  @Test("A handler may release its own watch")
  func droppedInside() async throws {
    let count = try await withLoop { loop in
      let watch = Box<ProcessWatch?>(nil)
      var count = 0
      watch.value = try loop.onSignal(SIGUSR1) {
        count += 1
        watch.value = nil
      }
      pthread_kill(pthread_self(), SIGUSR1)
      try loop.drive(until: "the signal") { count == 1 }
      pthread_kill(pthread_self(), SIGUSR1)
      try settle(loop)
      return count
    }
    #expect(count == 1)
  }
}
