import CSystemd
import EventLoop
import Glibc

@testable import Systemd

/// A message bus with a systemd on it, for one test and on its loop: libsystemd's own other side of the socket.
@safe final class BusStandIn {
  /// Its reaction when a unit is to be started.
  enum Conduct {
    case starts
    /// It queues the job, and announces this result, after one of another job.
    case runs(result: String)
    case fails(name: String, message: String)
    /// It takes the call and sends nothing.
    case staysSilent
    /// It ends, with every connection.
    case dies
  }

  /// The arguments of StartUnit.
  struct Start: Hashable {
    let unit: String
    let mode: String
    /// Whether the caller would start systemd for it, or prompt a person for a password.
    let isDemanding: Bool
  }

  var conduct: Conduct
  /// Whether it greets those who connect; earlier connections are not greeted later.
  var greets = true
  private(set) var starts: [Start] = []
  /// What it says of each unit: its active state, and the number of its job.
  var states: [String: (active: String, job: UInt32)] = [:]
  private(set) var questions: [String] = []
  /// The signals that were asked for.
  private(set) var matches: [String] = []
  /// How many have ever connected, and how many are connected now.
  private(set) var connections = 0
  var present: Int { self.peers.count + self.unanswered.count }

  let address: String
  private let folder: TemporaryFolder
  private let loop: EventLoop
  private var listener: UnixListener?
  private var watch: DescriptorWatch?
  private var peers: [Peer] = []
  private var unanswered: [FileDescriptor] = []

  init(on loop: EventLoop, _ conduct: Conduct = .starts) throws {
    self.loop = loop
    self.conduct = conduct
    self.folder = try TemporaryFolder()
    let path = self.folder.file("bus")
    self.address = "unix:path=\(path)"
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 16)
    self.listener = listener
    self.watch = try loop.watch(listener.descriptor, for: .read) { [unowned self] _ in self.accept() }
  }

  /// Ends.
  func die() {
    self.watch?.cancel()
    self.listener?.close()
    self.peers = []
    self.unanswered = []
  }

  private func accept() {
    do {
      guard let connection = try self.listener?.accept() else { return }
      self.connections += 1
      if self.greets {
        self.peers.append(try Peer(of: connection, on: self.loop, bus: self))
      } else {
        self.unanswered.append(connection)
      }
    } catch {
      preconditionFailure("the stand-in for a bus cannot accept: \(error)")
    }
  }

  // MARK: Messages

  /// A connected client.
  @safe private final class Peer {
    private var bus: OpaquePointer?
    private unowned let standIn: BusStandIn

    init(of connection: FileDescriptor, on loop: EventLoop, bus standIn: BusStandIn) throws {
      self.standIn = standIn
      var made: OpaquePointer?
      try SystemError.checkNegative(unsafe sd_bus_new(&made), "sd_bus_new")
      unsafe self.bus = unsafe made
      // The bus closes its descriptor, and so does its owner here.
      let own = fcntl(connection.rawValue, F_DUPFD_CLOEXEC, 3)
      connection.close()
      try SystemError.checkNegative(unsafe sd_bus_set_fd(made, own, own), "sd_bus_set_fd")
      var identity = sd_id128_t()
      try SystemError.checkNegative(unsafe sd_id128_randomize(&identity), "sd_id128_randomize")
      try SystemError.checkNegative(unsafe sd_bus_set_server(made, 1, identity), "sd_bus_set_server")
      try SystemError.checkNegative(
        unsafe sd_bus_add_filter(
          made, nil,
          { message, context, _ in
            guard let context = unsafe context else { return -EINVAL }
            return unsafe Unmanaged<Peer>.fromOpaque(context).takeUnretainedValue().received(message)
          }, Unmanaged.passUnretained(self).toOpaque()), "sd_bus_add_filter")
      try SystemError.checkNegative(unsafe sd_bus_attach_event(made, loop.event, 0), "sd_bus_attach_event")
      try SystemError.checkNegative(unsafe sd_bus_start(made), "sd_bus_start")
    }

    deinit {
      _ = unsafe sd_bus_close_unref(self.bus)
    }

    private func received(_ message: OpaquePointer?) -> Int32 {
      if unsafe sd_bus_message_is_method_call(message, "org.freedesktop.DBus", "Hello") > 0 {
        return unsafe self.reply(to: message, CChar(UInt8(ascii: "s")), ":1.7")
      }
      if unsafe sd_bus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") > 0 {
        self.standIn.peers.removeAll { $0 === self }
        return 1
      }
      if unsafe sd_bus_message_is_method_call(message, "org.freedesktop.DBus", "AddMatch") > 0 {
        self.standIn.matches.append(unsafe self.text(message))
        return unsafe self.reply(to: message)
      }
      if unsafe sd_bus_message_is_method_call(message, "org.freedesktop.systemd1.Manager", "ListUnitsByNames") > 0 {
        return unsafe self.list(message)
      }
      guard unsafe sd_bus_message_is_method_call(message, "org.freedesktop.systemd1.Manager", "StartUnit") > 0 else {
        return -EBADMSG
      }
      self.standIn.starts.append(
        BusStandIn.Start(
          unit: unsafe self.text(message), mode: unsafe self.text(message),
          isDemanding: unsafe sd_bus_message_get_auto_start(message) != 0
            || sd_bus_message_get_allow_interactive_authorization(message) != 0))
      return unsafe self.conduct(message)
    }

    /// The states of units, in the form of systemd's own answer.
    private func list(_ message: OpaquePointer?) -> Int32 {
      if case .fails = self.standIn.conduct { return unsafe self.conduct(message) }
      guard case .strings(let units)? = BusValue.all(of: unsafe BusMessage(message))?.first else { return -EBADMSG }
      self.standIn.questions += units
      var reply: OpaquePointer?
      _ = unsafe sd_bus_message_new_method_return(message, &reply)
      defer { _ = unsafe sd_bus_message_unref(reply) }
      let listed = units.map { unit -> BusValue in
        let state = self.standIn.states[unit] ?? ("inactive", 0)
        return .structure([
          .string(unit), .string("Receiver"), .string("loaded"), .string(state.active), .string("start"), .string(""),
          .objectPath("/org/freedesktop/systemd1/unit/x"), .uint32(state.job), .string(""), .objectPath("/"),
        ])
      }
      do {
        try BusValue.array(of: "(ssssssouso)", listed).append(to: unsafe BusMessage(reply))
      } catch {
        preconditionFailure("the stand-in for a bus cannot answer: \(error)")
      }
      return unsafe sd_bus_send(self.bus, reply, nil) < 0 ? -EIO : 1
    }

    private func conduct(_ message: OpaquePointer?) -> Int32 {
      switch self.standIn.conduct {
      case .starts:
        return unsafe self.reply(to: message, CChar(UInt8(ascii: "o")), "/org/freedesktop/systemd1/job/7")
      case .runs(let result):
        let status = unsafe self.reply(to: message, CChar(UInt8(ascii: "o")), "/org/freedesktop/systemd1/job/7")
        self.announce(job: 8, result: "failed")
        self.announce(job: 7, result: result)
        return status
      case .fails(let name, let text):
        var error = unsafe sd_bus_error()
        _ = unsafe sd_bus_error_set(&error, name, text)
        defer { unsafe sd_bus_error_free(&error) }
        return unsafe sd_bus_reply_method_error(message, &error) < 0 ? -EIO : 1
      case .staysSilent: return 1
      case .dies:
        self.standIn.die()
        return 1
      }
    }

    /// A job has ended, as systemd says it; and as another program pretends.
    private func announce(job: UInt32, result: String) {
      for (sender, result) in [(":1.99", "dependency"), (":1.0", result)] {
        var signal: OpaquePointer?
        _ = unsafe sd_bus_message_new_signal(
          self.bus, &signal, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "JobRemoved")
        defer { _ = unsafe sd_bus_message_unref(signal) }
        _ = unsafe sd_bus_message_set_sender(signal, sender)
        var number = job
        _ = unsafe sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "u")), &number)
        let path = "/org/freedesktop/systemd1/job/\(job)"
        for (type, text) in [("o", path), ("s", "a.service"), ("s", result)] as [(Unicode.Scalar, String)] {
          _ = unsafe sd_bus_message_append_basic(signal, CChar(UInt8(ascii: type)), text)
        }
        _ = unsafe sd_bus_send(self.bus, signal, nil)
      }
    }

    private func text(_ message: OpaquePointer?) -> String {
      var text: UnsafePointer<CChar>?
      _ = unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text)
      return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }

    private func reply(to call: OpaquePointer?) -> Int32 {
      var reply: OpaquePointer?
      _ = unsafe sd_bus_message_new_method_return(call, &reply)
      defer { _ = unsafe sd_bus_message_unref(reply) }
      return unsafe sd_bus_send(self.bus, reply, nil) < 0 ? -EIO : 1
    }

    private func reply(to call: OpaquePointer?, _ type: CChar, _ value: String) -> Int32 {
      var reply: OpaquePointer?
      _ = unsafe sd_bus_message_new_method_return(call, &reply)
      defer { _ = unsafe sd_bus_message_unref(reply) }
      _ = unsafe sd_bus_message_set_sender(reply, ":1.0")
      _ = unsafe sd_bus_message_append_basic(reply, type, value)
      return unsafe sd_bus_send(self.bus, reply, nil) < 0 ? -EIO : 1
    }
  }
}
