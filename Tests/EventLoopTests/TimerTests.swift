import CSystemd
import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@Suite("Timers")
struct TimerTests {
  private let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  @Test("A thousand timers are each called once and never early, in whatever order they were armed")
  func thousand() throws {
    var called: [Int] = []
    var early: [Int] = []
    let start = Clocks.system.sinceBoot()
    let timers = try (0..<1000).map { index in
      // 7 has no common factor with 1000, so this is every moment once, in another order than the timers'.
      let moment = start + .microseconds((index * 7) % 1000 * 20)
      let timer = try loop.timer(accuracy: .microseconds(1)) {
        called.append(index)
        if Clocks.system.sinceBoot() < moment || loop.now < moment { early.append(index) }
      }
      timer.arm(at: moment)
      return timer
    }
    try loop.drive(until: "a thousand calls") { called.count >= 1000 }
    try settle(loop)
    #expect(called.sorted() == Array(0..<1000))
    #expect(early.isEmpty)
    #expect(timers.allSatisfy { !$0.isArmed })
  }

  @Test("Timers count the time since boot, which no step of the wall clock changes")
  func clock() throws {
    let timer = try loop.timer(accuracy: .milliseconds(1)) {}
    timer.arm(at: Clocks.system.sinceBoot() + .seconds(3600))
    try settle(loop)
    // The loop's timers and their clock, as the kernel reports them: 0 is the number of the wall clock.
    let waiting = try Self.lines("/proc/self/fdinfo/\(unsafe sd_event_get_fd(loop.event))").compactMap { line in
      line.hasPrefix("tfd:") ? line.split { " \t".contains($0) }.dropFirst().first : nil
    }
    let clocks = try waiting.flatMap { try Self.lines("/proc/self/fdinfo/\($0)") }.filter { $0.hasPrefix("clockid:") }
    #expect(clocks == ["clockid: \(CLOCK_BOOTTIME)"])
    #expect(timer.isArmed)
  }

  private static func lines(_ path: String) throws -> [Substring] {
    let file = try FileDescriptor(adopting: unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC))
    defer { file.close() }
    return String(decoding: try readAll(file), as: UTF8.self).split(separator: "\n")
  }

  @Test("The timer of the earlier moment is called first, whichever was armed first", arguments: [true, false])
  func order(isEarlierArmedFirst: Bool) throws {
    var called: [String] = []
    let start = Clocks.system.sinceBoot()
    let earlier = try loop.timer(accuracy: .milliseconds(1)) { called.append("earlier") }
    // So far apart that a machine that stands still for a while does not merge both into one wake-up.
    let later = try loop.timer(accuracy: .milliseconds(1)) { called.append("later") }
    if isEarlierArmedFirst { earlier.arm(at: start + .milliseconds(5)) }
    later.arm(at: start + .seconds(3600))
    if !isEarlierArmedFirst { earlier.arm(at: start + .milliseconds(5)) }
    try loop.drive(until: "the earlier one") { !called.isEmpty }
    #expect(called == ["earlier"])
    #expect(later.isArmed)
    later.arm(at: start + .milliseconds(10))
    try loop.drive(until: "the later one") { called.count == 2 }
    #expect(called == ["earlier", "later"])
    #expect(Clocks.system.sinceBoot() >= start + .milliseconds(10))
  }

  @Test("A timer that its own handler arms again is called again, and is not armed meanwhile")
  func rearmedInside() throws {
    var count = 0
    var wasArmedInside = false
    let timer = Box<LoopTimer?>(nil)
    timer.value = try loop.timer(accuracy: .milliseconds(1)) {
      count += 1
      if timer.value?.isArmed == true { wasArmedInside = true }
      if count < 3 { timer.value?.arm(at: loop.now) }
    }
    timer.value?.arm(at: Clocks.system.sinceBoot())
    try loop.drive(until: "three calls") { count == 3 }
    try settle(loop)
    #expect(count == 3)
    #expect(!wasArmedInside)
    #expect(timer.value?.isArmed == false)
  }

  @Test("A timer that another's handler disarms, cancels or moves in the same wake-up is not called early")
  func changedByAnother() throws {
    var called: [Int] = []
    let now = Clocks.system.sinceBoot()
    let timers = Box<[LoopTimer]>([])
    // All are due together; the first one changes the three others, each in its own way.
    timers.value = try (0..<4).map { index in
      try loop.timer(accuracy: .milliseconds(1)) {
        called.append(index)
        if called.count == 1 {
          timers.value[(index + 1) % 4].disarm()
          timers.value[(index + 2) % 4].cancel()
          timers.value[(index + 3) % 4].arm(at: now + .milliseconds(5))
        }
      }
    }
    for timer in timers.value { timer.arm(at: now) }
    try loop.drive(until: "the moved timer") { called.count >= 2 }
    #expect(Clocks.system.sinceBoot() >= now + .milliseconds(5))
    try settle(loop)
    try #require(called.count == 2)
    #expect(called[1] == (called[0] + 3) % 4)
    timers.value = []
  }

  @Test("A handler may release its own timer, and its captures are released too")
  func droppedInside() throws {
    final class Held {}
    weak var held: Held?
    let timer = Box<LoopTimer?>(nil)
    var count = 0
    do {
      let strong = Held()
      held = strong
      timer.value = try loop.timer(accuracy: .milliseconds(1)) {
        timer.value = nil
        // Still referenced: the running handler keeps its captures.
        withExtendedLifetime(strong) { count += 1 }
      }
    }
    #expect(held != nil)
    timer.value?.arm(at: Clocks.system.sinceBoot())
    try loop.drive(until: "the call") { count == 1 }
    try settle(loop)
    #expect(count == 1)
    #expect(held == nil)
  }

  @Test("A timer whose last reference is released is never called")
  func dropped() throws {
    var isCalled = false
    var timer: LoopTimer? = try loop.timer(accuracy: .milliseconds(1)) { isCalled = true }
    timer?.arm(at: Clocks.system.sinceBoot() - .seconds(1))
    timer = nil
    try settle(loop)
    #expect(!isCalled)
  }

  @Test("A loop with nothing armed never wakes up")
  func idle() throws {
    let unarmed = try loop.timer(accuracy: .milliseconds(1)) {}
    try settle(loop)
    let start = Clocks.system.sinceBoot()
    #expect(try loop.runOnce(timeout: .milliseconds(300)) == false)
    #expect(Clocks.system.sinceBoot() >= start + .milliseconds(300))
    withExtendedLifetime(unarmed) {}
  }

  @Test("The moment of a wake-up stays the same while its handler runs")
  func stamp() throws {
    var stamps: [Instant] = []
    var clock: [Instant] = []
    let timer = try loop.timer(accuracy: .milliseconds(1)) {
      for _ in 0..<2 {
        stamps.append(loop.now)
        let before = Clocks.system.sinceBoot()
        while Clocks.system.sinceBoot() < before + .milliseconds(1) {}
        clock.append(Clocks.system.sinceBoot())
      }
    }
    timer.arm(at: Clocks.system.sinceBoot())
    try loop.drive(until: "the call") { !stamps.isEmpty }
    try #require(stamps.count == 2)
    #expect(stamps[0] == stamps[1])
    #expect(clock[0] < clock[1])
  }

  @Test("run returns the code given to stop, and can be called again")
  func stop() throws {
    let timer = try loop.timer(accuracy: .milliseconds(1)) { loop.stop(code: 7) }
    for _ in 0..<2 {
      timer.arm(at: Clocks.system.sinceBoot())
      #expect(try loop.run() == 7)
    }
  }
}
