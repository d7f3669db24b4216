import EventLoop
import Synchronization
import TestSupport

/// A simulated person at a terminal, who reads the screen and types as the test says.
final class Person: Sendable {
  /// The terminal's file, for the program.
  let terminal: String
  private let loop: EventLoop
  private let screen = Screen()
  private let typing: Typing

  init() throws {
    let terminal = try Pseudoterminal.open()
    let (loop, screen, typing) = (try EventLoop(), self.screen, Typing(terminal.master))
    (self.terminal, self.loop, self.typing) = (terminal.path, loop, typing)
    let isReady = Latch()
    _ = try EventLoop.spawnThread(name: "person") {
      do {
        // A terminal that nobody has open is hung up, which is reported once.
        let watch = try loop.watch(typing.master, for: [.read, .changesOnly]) { _ in screen.read(typing.master) }
        isReady.open()
        _ = try loop.run()
        watch.cancel()
      } catch {
        fatalError("the person of a test: \(error)")
      }
    }
    isReady.wait()
  }

  deinit { self.loop.call { [loop] in loop.stop() } }

  /// Everything that was shown so far.
  var shown: String { self.screen.shown }

  /// Waits until this is shown, counted from the start.
  func sees(_ text: String) async { await self.screen.shows(text) }

  /// Types a text, and returns when the terminal has it.
  func types(_ text: String) async {
    let isTyped = await withCheckedContinuation { continuation in
      self.loop.call { [typing] in continuation.resume(returning: typing.type(text)) }
    }
    precondition(isTyped, "a terminal takes a line")
  }
}

/// The person's side of the terminal.
///
/// `@unchecked Sendable`: used on the loop's thread alone.
private final class Typing: @unchecked Sendable {
  let master: FileDescriptor

  init(_ master: FileDescriptor) { self.master = master }

  func type(_ text: String) -> Bool {
    do { return try self.master.write(Array(text.utf8)[...]) == .wrote(text.utf8.count) } catch { return false }
  }
}

/// The shown text, and those who wait for more.
private final class Screen: Sendable {
  private struct State {
    var shown = ""
    var waiters: [(text: String, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var shown: String { self.state.withLock { $0.shown } }

  func read(_ master: FileDescriptor) {
    var bytes: [UInt8] = []
    do {
      while case .bytes = try master.read(into: &bytes, upTo: 4096) {}
    } catch {
      fatalError("the person of a test: \(error)")
    }
    let done = self.state.withLock { state in
      state.shown += String(decoding: bytes, as: UTF8.self)
      let done = state.waiters.filter { state.shown.contains($0.text) }
      state.waiters.removeAll { state.shown.contains($0.text) }
      return done
    }
    for waiter in done { waiter.continuation.resume() }
  }

  func shows(_ text: String) async {
    await withCheckedContinuation { continuation in
      let isThere = self.state.withLock { state in
        if state.shown.contains(text) { return true }
        state.waiters.append((text, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
