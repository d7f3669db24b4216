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

extension BusCall {
  /// Asks systemd whether a unit is at work: whether it starts or stops, or a job for it waits. The handler is called
  /// once, later, from the loop.
  ///
  /// - Parameter time: The longest time until the answer.
  convenience init(
    askingWhetherBusy unit: String, over connection: BusConnection, within time: Duration,
    handler: @escaping (BusReply<Bool>) -> Void
  ) throws(SystemError) {
    try self.init(
      BusMethod(
        "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
        "ListUnitsByNames"),
      [.strings([unit])], over: connection, within: time
    ) { reply in
      switch reply {
      case .returned(let answer):
        guard let isBusy = Self.isBusy(answer.values.first) else {
          return handler(.failed(BusError(name: "", message: "the reply names no state")))
        }
        handler(.returned(isBusy))
      case .failed(let error): handler(.failed(error))
      case .disconnected: handler(.disconnected)
      }
    }
  }

  /// Of the members of a unit the fourth is its active state, and the eighth the number of its job or 0.
  private static func isBusy(_ units: BusValue?) -> Bool? {
    guard case .array(_, let units)? = units, case .structure(let members)? = units.first, members.count == 10,
      let state = members[3].text, case .uint32(let job) = members[7]
    else { return nil }
    return job != 0 || state.hasSuffix("activating") || state == "reloading"
  }
}

/// What systemd does if the start contradicts a queued job.
private enum StartMode: String {
  /// It refuses. `replace`, as `systemctl start` uses it, would cancel the other job: an event would restart a unit
  /// that an administrator is stopping, or that stops with the machine.
  case fail
}
