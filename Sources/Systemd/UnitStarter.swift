import CSystemd
package import EventLoop
import Glibc
import Positioning

/// Starts system units, as systemd's manager on the system bus lets this process.
///
/// Nothing here blocks: the connection, its greeting and the calls are the loop's. Calls that wait at one time share one
/// connection, which is made for the first and closed with the last: a start is rare, so keeping it open would cost a
/// place on the bus and save nothing. One on which a call got no answer is not used again.
///
/// A unit counts as started when systemd has queued its job. Whether it then comes up is its own matter: following the
/// job would hold the connection for as long as the unit takes, and `systemctl status` shows it better.
///
/// With the last reference to this what waits is dropped, and its completions are not called.
@safe package final class UnitStarter {
  private struct Pending {
    let unit: String
    let deadline: Instant
    /// What is waited for; nil where it could not even be asked.
    let call: BusCall?
    /// Why it has failed by the deadline; nil where that depends on how far it came.
    let reason: UnitStartError.Reason?
    let completion: (Result<Void, UnitStartError>) -> Void
  }

  private let loop: EventLoop
  private let address: String
  private let replyTime: Duration
  private weak var connection: BusConnection?
  private var pending: [Int: Pending] = [:]
  private var lastNumber = 0
  private var timer: LoopTimer?

  /// - Parameters:
  ///   - address: of the bus, as D-Bus writes it; nil is the system bus, which `DBUS_SYSTEM_BUS_ADDRESS` may name.
  ///   - replyTime: how long a start may take from being asked for to being queued; D-Bus' own default.
  package init(loop: EventLoop, address: String? = nil, replyTime: Duration = .seconds(25)) throws(SystemError) {
    self.loop = loop
    self.address = address ?? Self.systemBus
    self.replyTime = replyTime
    self.timer = try loop.timer(accuracy: .milliseconds(100)) { [unowned self] in self.deadlineReached() }
  }

  /// Where the environment says it is, or else where every system has it.
  static var systemBus: String {
    guard let address = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") else { return "unix:path=/run/dbus/system_bus_socket" }
    return unsafe String(cString: address)
  }

  /// Starts the unit. For one that runs already this succeeds and changes nothing.
  ///
  /// - Parameters:
  ///   - unit: a name that `WakeUnit` takes.
  ///   - completion: called once, from the loop and never in here.
  package func start(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    self.lastNumber += 1
    let number = self.lastNumber
    let now = self.loop.now
    do throws(SystemError) {
      let call = try BusCall(startingUnit: unit, over: try self.connect()) { [unowned self] reply in
        self.replied(reply, to: number)
      }
      self.pending[number] = Pending(
        unit: unit, deadline: now + self.replyTime, call: call, reason: nil, completion: completion)
    } catch {
      self.pending[number] = Pending(
        unit: unit, deadline: now, call: nil, reason: .noBus(error), completion: completion)
    }
    self.armTimer()
  }

  private func connect() throws(SystemError) -> BusConnection {
    if let connection = self.connection, connection.isOpen { return connection }
    let connection = try BusConnection(to: self.address, on: self.loop)
    self.connection = connection
    return connection
  }

  // MARK: Ends of a call

  private func replied(_ reply: BusReply, to number: Int) {
    guard let ended = self.pending.removeValue(forKey: number) else { return }
    self.armTimer()
    ended.completion(UnitStartError(unit: ended.unit, reply: reply).map(Result.failure) ?? .success(()))
  }

  private func deadlineReached() {
    let now = self.loop.now
    let due = self.pending.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
    due.forEach { self.pending[$0.key] = nil }
    self.armTimer()
    for (_, ended) in due {
      if let silent = ended.call?.connection, silent === self.connection { self.connection = nil }
      ended.completion(.failure(UnitStartError(unit: ended.unit, reason: self.reason(of: ended))))
    }
  }

  private func reason(of ended: Pending) -> UnitStartError.Reason {
    if let reason = ended.reason { return reason }
    let isGreeted = ended.call?.connection.isReady ?? false
    return isGreeted ? .noReply(after: self.replyTime) : .busSilent(after: self.replyTime)
  }

  private func armTimer() {
    if let deadline = self.pending.values.map(\.deadline).min() {
      self.timer?.arm(at: deadline)
    } else {
      self.timer?.disarm()
    }
  }
}
