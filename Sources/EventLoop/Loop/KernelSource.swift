package import Positioning

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
