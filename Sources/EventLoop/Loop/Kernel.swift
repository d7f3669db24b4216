package import Positioning

/// A kernel in memory, as one process sees it: what a loop, its descriptors and its workers ask in place of the system's.
///
/// The program has none. With one, a loop lives in a time of its own, and whoever has the kernel decides what happens
/// in it. It belongs to the loop's thread.
package protocol Kernel: AnyObject, Sendable {
  /// Reads a clock. That takes time, as it does on a machine.
  func read(_ clock: KernelClock) -> Duration
  /// A number that this process cannot predict.
  func randomNumber() -> UInt64
  /// The identifier of this boot.
  var boot: String { get }

  /// From now on the source is served when it is ready, until it is cancelled. The kernel keeps no source.
  func add(_ source: KernelSource)
  /// Whether a source is ready now.
  func prepare() -> Bool
  /// Waits until a source is ready; without a limit that is when one is.
  ///
  /// - Returns: false if none was within the limit.
  func wait(atMost limit: Duration?) -> Bool
  /// Serves the source that has been ready for the longest.
  func dispatch()
  /// Does the work beside the loop, as another thread would: later, and not before the moment.
  func perform(notBefore moment: Instant?, _ work: @escaping @Sendable () -> Void)

  /// Starts to connect; the stream becomes writable when that has succeeded or failed.
  func connect(to address: KernelAddress) throws(SystemError) -> any KernelStream
  /// Listens; the result is readable while a connection waits.
  func listen(at address: KernelAddress) throws(SystemError) -> any KernelStream
}

/// A clock of a kernel.
package enum KernelClock: Hashable, Sendable {
  /// Since boot, in which a sleep of the machine counts.
  case boot
  /// Since boot, without the machine's sleep.
  case monotonic
  /// Since 1970.
  case wall
}

/// Where programs listen.
package enum KernelAddress: Hashable, Sendable {
  case path(String)
  case port(UInt16, address: String)
}

/// An open stream of a kernel in memory, or one that accepts others.
package protocol KernelStream: AnyObject {
  /// Which of these it is ready for; and `hangup` whenever the other side is gone.
  func ready(for interest: Interest) -> Interest
  /// The next bytes; empty at the end, `nil` if there are none now.
  func read(upTo limit: Int) throws(SystemError) -> [UInt8]?
  func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> FileDescriptor.WriteResult
  /// The next connection; `nil` if none waits.
  func accept() throws(SystemError) -> (any KernelStream)?
  /// Why connecting failed; `nil` if it succeeded.
  func connectError() -> SystemError?
  /// Who is at the other end, without names.
  func peer() throws(SystemError) -> Principal
  func close()
}

/// What a loop wants of a kernel in memory: to be called when a stream, a timer, a signal, a child process or the loop's
/// own jobs are ready.
package final class KernelSource {
  package enum Subject {
    case stream(any KernelStream)
    /// It may be late by its accuracy.
    case timer(accuracy: Duration)
    case signal(Int32)
    case child(Int32)
    case jobs
  }

  /// What the kernel has found.
  package enum Finding {
    case stream(Interest)
    case child(ChildExit)
    /// The timer is due, the signal has come, or there are jobs.
    case happened
  }

  package let subject: Subject
  /// What a stream is watched for.
  package internal(set) var interest: Interest = []
  /// When a timer is due; `nil`: it is not armed.
  package internal(set) var moment: Instant?
  /// Whether the loop has jobs.
  package internal(set) var hasJobs = false
  private var handler: ((Finding) -> Void)?

  init(_ subject: Subject, handler: @escaping (Finding) -> Void) {
    self.subject = subject
    self.handler = handler
  }

  package var isCancelled: Bool { self.handler == nil }

  func cancel() {
    self.handler = nil
    self.moment = nil
  }

  /// Calls the loop. A timer is not armed any more then.
  package func serve(_ finding: Finding) {
    self.moment = nil
    self.hasJobs = false
    self.handler?(finding)
  }
}
