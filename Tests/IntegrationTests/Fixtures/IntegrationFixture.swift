import EventLoop
import Glibc
import JSONRPC
import Positioning
import TestSupport

@testable import ReceiverSimulator

/// A simulated or recorded receiver, a real gpsd and the real daemon, in a folder of their own.
///
/// They belong to a loop with a thread of its own, so that a test may block while they run. Everything is ended, and
/// the folder removed, with this object.
///
/// `@unchecked Sendable`: `onLoop` alone uses the loop's objects, the rest never changes.
final class IntegrationFixture: @unchecked Sendable {
  /// The parts to start, and their settings.
  struct Settings: Sendable {
    var receiver = Simulation.Settings(
      route: .circle(
        centre: Coordinate(latitude: 48.137, longitude: 11.575), radius: 500, speed: 10),
      receiver: ReceiverModel.Settings(firstStart: .ready))
    /// A recorded log in place of the simulated receiver.
    var recording: Recording?
    /// Options of gpsd. With -b it opens a device in one second instead of six, and writes nothing to it.
    var gpsdArguments = ["-b"]
    /// Further lines of the configuration, `section.key=value`.
    var configuration: [String] = []
    /// Whether the receiver is plugged in at first.
    var isPlugged = true
    /// The time of the receiver, gpsd and the daemon; `nil`: the system's.
    var time: FastTime?

    fileprivate var sandbox: Sandbox.Settings {
      get throws {
        var sandbox = Sandbox.Settings(
          source: self.recording.map { .recorded($0.log, $0.pace) } ?? .simulated(self.receiver),
          positiond: Programs.path("positiond"),
          configuration: try FixtureParts.configuration(self.configuration))
        sandbox.isPlugged = self.isPlugged
        sandbox.gpsdArguments = self.gpsdArguments
        if let time { (sandbox.environment, sandbox.clock) = (time.environment, time.clock) }
        return sandbox
      }
    }
  }

  /// A log, and its speed from the moment when gpsd opens the device.
  struct Recording: Sendable {
    var log: ReplayLog
    var pace: ReplayPace
  }

  let folder: String
  let socket: String
  let gpsdPort: UInt16
  private let loop: EventLoop
  private let thread: LoopThread
  private let parts: FixtureParts
  /// gpsd and the daemon may be started again, and need it then.
  private let time: FastTime?

  init(_ settings: Settings = Settings()) throws {
    let loop = try EventLoop()
    self.loop = loop
    self.time = settings.time
    let sandbox = try settings.sandbox
    let started = Latch()
    let box = Outcome<FixtureParts>()
    self.thread = try EventLoop.spawnThread(name: "fixture") {
      do {
        let parts = try FixtureParts(sandbox, on: loop)
        box.result = .success(parts)
        started.open()
        _ = try loop.run()
        try parts.end()
      } catch {
        fatalError("the fixture failed: \(error)")
      }
    }
    started.wait()
    let parts = try box.get()
    self.parts = parts
    self.folder = parts.folder.path
    self.socket = parts.folder.socket
    self.gpsdPort = parts.gpsdPort
    try self.waitForSocket()
  }

  deinit {
    let loop = self.loop
    loop.call { loop.stop() }
    self.thread.join()
  }

  /// - Parameter user: The user that connects; `nil`: the one who runs the tests.
  func client(as user: OtherUser? = nil) throws -> LineClient { try LineClient(path: self.socket, as: user) }

  /// Does something with the parts, on their loop, and waits for it.
  func onLoop<Result: Sendable>(_ body: @escaping @Sendable (FixtureParts) throws -> Result) throws -> Result {
    let done = Latch()
    let box = Outcome<Result>()
    let parts = self.parts
    self.loop.call {
      box.result = Swift.Result { try body(parts) }
      done.open()
    }
    done.wait()
    return try box.get()
  }

  /// The daemon, gpsd and the simulated receiver stand still together, as while the machine sleeps.
  ///
  /// - Returns: From when until when.
  func standStill(for time: Duration, on loop: EventLoop) throws -> (from: Instant, until: Instant) {
    let isOver = Latch()
    let stopped = try self.onLoop { parts in
      parts.daemon?.send(SIGSTOP)
      parts.gpsd?.freeze()
      return Clocks.system.sinceBoot()
    }
    defer { isOver.open() }
    // The simulated receiver stands still while its loop waits.
    self.loop.call { isOver.wait() }
    var isDue = false
    let timer = try loop.timer(accuracy: .milliseconds(1)) { isDue = true }
    timer.arm(at: stopped + time)
    try loop.drive(for: time + .seconds(TestDeadline.seconds), until: "the end of the standstill") { isDue }
    isOver.open()
    let resumed = try self.onLoop { parts in
      parts.gpsd?.thaw()
      parts.daemon?.send(SIGCONT)
      return Clocks.system.sinceBoot()
    }
    return (stopped, resumed)
  }

  /// Requests the daemon's status until it matches.
  func waitForStatus(_ what: String, _ matches: (JSONValue) -> Bool) throws -> JSONValue {
    let client = try self.client()
    let deadline = monotonicSeconds() + TestDeadline.seconds
    var status = try client.call("status.get")
    let id = try client.request("status.subscribe")
    _ = try client.reply(to: id)
    while !matches(status) {
      let left = deadline - monotonicSeconds()
      guard left > 0 else { throw TimedOut("\(what): never; \(status)") }
      do {
        status = try client.notification("status.update", within: min(left, 1))
      } catch is TimedOut {
        // Ages and counters change without an update.
        status = try client.call("status.get")
      }
    }
    return status
  }

  /// Waits until the daemon answers.
  func waitForSocket() throws {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while true {
      do {
        _ = try LineClient(path: self.socket).call("status.get")
        return
      } catch {
        guard monotonicSeconds() < deadline else { throw TimedOut("positiond did not start: \(self.log)") }
        guard try self.onLoop({ $0.daemon != nil }) else { throw TimedOut("positiond ended at once") }
      }
    }
  }

  /// The log of the daemon.
  var log: String {
    guard let bytes = try? File.read("\(self.folder)/positiond.log") else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Hands a result from one thread to another.
///
/// `@unchecked Sendable`: the latch orders the one write before the one read.
private final class Outcome<Result>: @unchecked Sendable {
  var result: Swift.Result<Result, any Error>?

  func get() throws -> Result {
    guard let result else { preconditionFailure("the latch opened early") }
    return try result.get()
  }
}
