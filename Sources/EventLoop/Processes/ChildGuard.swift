import CLinux
import Glibc
import Synchronization

/// Kills the programs that this process started when it ends, even if it is killed.
///
/// A shell reads the start and end of every program from a socket. When the socket closes, with this process, the shell
/// kills the remaining programs. Linux's parent-death signal is no alternative: it comes when the thread that started
/// the program ends, which is too early.
enum ChildGuard {
  /// This side's end, once there is a guard.
  private static let socket = Mutex<Int32?>(nil)

  private static let script = """
    trap '' HUP INT QUIT TERM
    left=' '
    while read -r change target; do
      case $change in
      start) left="$left$target " ;;
      end) left="${left%% $target *} ${left#* $target }" ;;
      esac
    done
    for target in $left; do kill -s KILL -- "$target"; done
    """

  /// - Parameter target: what `kill` takes: a process, or a group of them as a negative number.
  static func started(_ target: pid_t) {
    self.socket.withLock { socket in
      // If the guard cannot be started, the programs run without it.
      if socket == nil { socket = try? self.make() }
      self.report("start \(target)\n", socket)
    }
  }

  static func ended(_ target: pid_t) { self.socket.withLock { self.report("end \(target)\n", $0) } }

  private static func make() throws(SystemError) -> Int32 {
    let (ours, its) = try UnixSocket.pair()
    _ = try Subprocess.spawn(
      Command("/bin/sh", ["-c", self.script], hasOwnGroup: true), output: .discarded, errors: .discarded, input: its)
    // Kept open while this process lives; the copy that would close itself is closed.
    return try SystemError.check(fcntl(ours.rawValue, F_DUPFD_CLOEXEC, 0), "keep a socket")
  }

  private static func report(_ line: String, _ socket: Int32?) {
    guard let socket else { return }
    let bytes = Array(line.utf8)
    _ = unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }
}
