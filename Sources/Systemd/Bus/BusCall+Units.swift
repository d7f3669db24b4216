import CSystemd
import EventLoop

/// A job of systemd.
struct Job: Hashable {
  let path: String
  /// systemd's own name on the bus, which no other program can have.
  let owner: String?

  /// - Parameter value: The job's path.
  init?(_ value: BusValue?, of owner: String?) {
    guard case .objectPath(let path)? = value else { return nil }
    self.path = path
    self.owner = owner
  }

  /// The next member of the message is the job's path.
  init?(_ message: OpaquePointer?) {
    var path: UnsafePointer<CChar>?
    guard unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "o")), &path) > 0, let path = unsafe path else {
      return nil
    }
    self.path = unsafe String(cString: path)
    self.owner = unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) }
  }
}

extension BusCall {
  /// Asks systemd to start a unit. The handler is called once, later, from the loop.
  ///
  /// The bus must not start systemd if it is missing.
  convenience init(
    startingUnit unit: String, over connection: BusConnection, handler: @escaping (BusReply<Job>) -> Void
  )
    throws(SystemError)
  {
    try self.init(
      BusMethod(
        "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "StartUnit"),
      [.string(unit), .string(StartMode.fail.rawValue)], over: connection
    ) { reply in
      switch reply {
      case .returned(let answer):
        guard let job = Job(answer.values.first, of: answer.sender) else {
          return handler(.failed(BusError(name: "", message: "the reply names no job")))
        }
        handler(.returned(job))
      case .failed(let error): handler(.failed(error))
      case .disconnected: handler(.disconnected)
      }
    }
  }
}

/// What systemd does if the start contradicts a queued job.
private enum StartMode: String {
  /// It refuses. `replace`, as `systemctl start` uses it, would cancel the other job: an event would restart a unit
  /// that an administrator is stopping, or that stops with the machine.
  case fail
}
