import CLinux
import Glibc
import Synchronization

/// Kills the programs that this process started when it ends, even if it is killed.
///
/// A shell reads the start and end of every program from a socket. When the socket closes, with this process, the shell
/// kills the remaining programs. Linux's parent-death signal is no alternative: it comes when the thread that started
/// the program ends, which is too early.
enum ChildGuard {
  /// What leads to the guard.
  private struct Line: Sendable {
    /// This side's end, once there is a guard.
    var socket: Int32?
    /// What the socket had no room for: it goes first next time, so that the guard misses no start and no end.
    var unsent: [UInt8] = []
  }

  private static let line = Mutex(Line())

  /// Starts and ends are lines of its input.
  static let script = """
    trap '' HUP INT QUIT TERM
    left=' '
    while read -r change target; do
      case $change in
      start) left="$left$target " ;;
      end) case $left in *" $target "*) left="${left%% $target *} ${left#* $target }" ;; esac ;;
      esac
    done
    for target in $left; do kill -s KILL -- "$target"; done
    """

  /// - Parameter target: what `kill` takes: a process, or a group of them as a negative number.
  static func started(_ target: pid_t) {
    self.line.withLock { line in
      // If the guard cannot be started, the programs run without it.
      if line.socket == nil { line.socket = try? self.make() }
      self.report("start \(target)\n", &line)
    }
  }

  static func ended(_ target: pid_t) { self.line.withLock { self.report("end \(target)\n", &$0) } }

  private static func make() throws(SystemError) -> Int32 {
    let (ours, its) = try UnixSocket.pair()
    _ = try Subprocess.spawn(
      Command("/bin/sh", ["-c", self.script], hasOwnGroup: true), output: .discarded, errors: .discarded, input: its)
    // Kept open while this process lives; the copy that would close itself is closed.
    return try SystemError.check(fcntl(ours.rawValue, F_DUPFD_CLOEXEC, 0), "keep a socket")
  }

  private static func report(_ text: String, _ line: inout Line) {
    guard let socket = line.socket else { return }
    line.unsent += text.utf8
    let sent = unsafe send(socket, line.unsent, line.unsent.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    if sent > 0 {
      line.unsent.removeFirst(sent)
    } else if errno != EAGAIN {
      // The guard is gone.
      line.unsent = []
    }
  }
}
