import EventLoop
import TestSupport
import Testing

/// An actor that lives on a loop, as the broker does.
private actor Counter {
  private let loop: EventLoop
  private(set) var count = 0
  private var wasElsewhere = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(on loop: EventLoop) {
    self.loop = loop
  }

  func add() -> Int {
    if !loop.isOnLoop { wasElsewhere = true }
    count += 1
    return count
  }

  func addTwice() async -> Int {
    _ = add()
    await Task.yield()
    return add()
  }

  var isAlwaysOnLoop: Bool { !wasElsewhere }
}

/// An actor on a loop that starts a task.
private actor Starter {
  private let loop: EventLoop
  private(set) var order: [String] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(on loop: EventLoop) {
    self.loop = loop
  }

  func add(_ name: String) {
    order.append(name)
  }

  func start(_ name: String) {
    Task { add(loop.isOnLoop ? "\(name) on the loop" : "\(name) elsewhere") }
  }
}

@Suite("The loop as an executor")
struct ExecutorTests {
  @Test("A call runs after the calls before it and never inside the caller")
  func order() throws {
    let loop = try EventLoop()
    let order = Box<[Int]>([])
    loop.call {
      order.value.append(1)
      loop.call { order.value.append(3) }
      order.value.append(2)
    }
    #expect(order.value.isEmpty)
    try settle(loop)
    #expect(order.value == [1, 2, 3])
  }

  @Test("Calls from eight threads all arrive, each thread's in its order, on the loop's thread")
  func threads() throws {
    let loop = try EventLoop()
    let arrived = Box<[[Int]]>(Array(repeating: [], count: 8))
    let total = Box(0)
    let elsewhere = Box(0)
    _ = try loop.runOnce(timeout: .zero)
    let threads = try (0..<8).map { thread in
      try EventLoop.spawnThread(name: "caller-\(thread)") {
        for index in 0..<500 {
          loop.call {
            arrived.value[thread].append(index)
            total.value += 1
            if !loop.isOnLoop { elsewhere.value += 1 }
          }
        }
      }
    }
    try loop.drive(until: "all calls") { total.value == 4000 }
    for thread in threads { thread.join() }
    #expect(arrived.value.allSatisfy { $0 == Array(0..<500) })
    #expect(elsewhere.value == 0)
  }

  @Test("Another thread's call wakes a sleeping loop")
  func wake() throws {
    let loop = try EventLoop()
    let isCalled = Box(false)
    _ = try loop.runOnce(timeout: .zero)
    let thread = try EventLoop.spawnThread(name: "waker") {
      loop.call { isCalled.value = true }
    }
    #expect(try loop.runOnce(timeout: nil))
    #expect(isCalled.value)
    thread.join()
  }

  @Test("A handler on the loop calls an actor on it without waiting")
  func assumeIsolated() throws {
    let loop = try EventLoop()
    let counter = Counter(on: loop)
    var seen = 0
    let timer = try loop.timer(accuracy: .milliseconds(1)) {
      seen = counter.assumeIsolated { $0.add() }
    }
    timer.arm(at: Clocks.system.sinceBoot())
    try loop.drive(until: "the timer") { seen > 0 }
    #expect(seen == 1)
  }

  @Test("Tasks elsewhere that await an actor on the loop run its code on the loop's thread")
  func awaiting() async throws {
    let (count, isAlwaysOnLoop) = try await withLoop { loop in
      let counter = Counter(on: loop)
      let isDone = Box(false)
      Task.detached {
        await withTaskGroup { group in
          for _ in 0..<20 { group.addTask { _ = await counter.addTwice() } }
        }
        loop.call { isDone.value = true }
      }
      try loop.drive(until: "the tasks' end") { isDone.value }
      return counter.assumeIsolated { ($0.count, $0.isAlwaysOnLoop) }
    }
    #expect(count == 40)
    #expect(isAlwaysOnLoop)
  }

  @Test("A task that an actor on the loop starts runs on the loop, after earlier calls")
  func inherited() async throws {
    let order = try await withLoop { loop in
      let starter = Starter(on: loop)
      loop.call { starter.assumeIsolated { $0.add("call") } }
      starter.assumeIsolated { $0.start("task") }
      try loop.drive(until: "the task") { starter.assumeIsolated { $0.order.count == 2 } }
      return starter.assumeIsolated { $0.order }
    }
    #expect(order == ["call", "task on the loop"])
  }

  @Test("A watch that is released on another thread is ended by the loop")
  func droppedElsewhere() throws {
    let loop = try EventLoop()
    let calls = Box(0)
    let timer = Box<LoopTimer?>(nil)
    timer.value = try loop.timer(accuracy: .milliseconds(1)) { calls.value += 1 }
    let thread = try EventLoop.spawnThread(name: "dropper") { timer.value = nil }
    thread.join()
    #expect(try loop.runOnce(timeout: TestDeadline.duration))
    try settle(loop)
    #expect(calls.value == 0)
  }

  @Test("Using the loop from a thread that does not own it traps")
  func wrongThread() async {
    await #expect(processExitsWith: .failure) {
      let loop = try EventLoop()
      _ = try loop.runOnce(timeout: .zero)
      let thread = try EventLoop.spawnThread(name: "intruder") { loop.stop() }
      thread.join()
    }
  }
}
