package import EventLoop
import Positioning

/// Starts system units over the system bus, as far as polkit lets this process.
///
/// Nothing here blocks: the loop connects, greets and calls. Concurrent calls share one connection, which is closed
/// after the last: starts are rare, so an open connection would only cost a place on the bus. After a call without an
/// answer the connection is not used again.
///
/// For `start` a unit counts as started when systemd has queued its job: following the job would keep the connection
/// open for as long as the unit takes, and `systemctl status` shows the result better. `run` waits for the result, and
/// `ask` asks only.
///
/// When the last reference is released, waiting calls are dropped and their completions are not called.
@safe package final class UnitStarter: Units {
  private typealias Completion = (Result<Void, UnitStartError>) -> Void

  /// A job of systemd.
  private struct Job: Hashable {
    let path: String
    /// systemd's own name on the bus, which no other program can have.
    let owner: String?
  }

  private struct Pending {
    let unit: String
    var deadline: Instant
    /// The waiting call; `nil` if it could not be sent.
    let call: BusCall?
    /// Why it fails at the deadline; `nil` if that depends on its progress.
    let reason: UnitStartError.Reason?
    /// The signals with the results of jobs, if this call waits for its own.
    let results: BusSignals?
    /// The job that systemd queued.
    var job: Job?
    let completion: Completion
  }

  private let loop: EventLoop
  private let address: String
  private let replyTime: Duration
  private let jobTime: Duration
  private weak var connection: BusConnection?
  private var pending: [Int: Pending] = [:]
  private var questions: [Int: BusCall] = [:]
  private var lastNumber = 0
  private var timer: LoopTimer?

  /// - Parameters:
  ///   - address: The bus's address in D-Bus notation; `nil`: the system bus, whose address `DBUS_SYSTEM_BUS_ADDRESS`
  ///     can override.
  ///   - replyTime: The longest time until systemd has queued a start; D-Bus's default.
  ///   - jobTime: The longest time until a job has ended whose result is waited for.
  package init(
    loop: EventLoop, address: String? = nil, replyTime: Duration = .seconds(25), jobTime: Duration = .seconds(90)
  ) throws(SystemError) {
    self.loop = loop
    self.address = address ?? BusConnection.systemBus
    self.replyTime = replyTime
    self.jobTime = jobTime
    self.timer = try loop.timer(accuracy: .milliseconds(100)) { [unowned self] in self.deadlineReached() }
  }

  package func start(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    self.start(unit, followsJob: false, completion: completion)
  }

  package func run(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    self.start(unit, followsJob: true, completion: completion)
  }

  /// Without a bus the completion is called within this call.
  package func ask(_ unit: String, completion: @escaping (Result<Bool, UnitQuestionError>) -> Void) {
    self.lastNumber += 1
    let number = self.lastNumber
    func fail(_ reason: String) { completion(.failure(UnitQuestionError(unit: unit, reason: reason))) }
    do throws(SystemError) {
      self.questions[number] = try BusCall(
        Self.method("ListUnitsByNames"), [.strings([unit])], over: try self.connect(), within: self.replyTime
      ) { [unowned self] reply in
        // Released after its handler, which would be gone otherwise.
        let call = self.questions.removeValue(forKey: number)
        switch reply {
        case .returned(let answer):
          if let isBusy = Self.isBusy(answer.values.first) {
            completion(.success(isBusy))
          } else {
            fail("the reply names no state")
          }
        case .failed(let error): fail("\(error.name): \(error.message)")
        case .disconnected: fail("the connection to the system bus broke")
        }
        withExtendedLifetime(call) {}
      }
    } catch {
      fail("\(error)")
    }
  }

  /// systemd may have answered in that time, or did not run either.
  package func gapEnded(_ gap: Duration) {
    for (number, pending) in self.pending { self.pending[number]?.deadline = pending.deadline + gap }
    self.armTimer()
  }

  private func start(_ unit: String, followsJob: Bool, completion: @escaping Completion) {
    self.lastNumber += 1
    let number = self.lastNumber
    let now = self.loop.now
    do throws(SystemError) {
      let connection = try self.connect()
      // Before the call, so that no result is missed.
      let results = followsJob ? try self.results(of: number, over: connection) : nil
      // A start that contradicts a queued job fails. With `replace`, as `systemctl start` uses it, an event would restart a
      // unit that an administrator is stopping, or that stops with the machine.
      let call = try BusCall(
        Self.method("StartUnit"), [.string(unit), .string("fail")], over: connection
      ) { [unowned self] reply in self.replied(reply, to: number) }
      self.pending[number] = Pending(
        unit: unit, deadline: now + self.replyTime, call: call, reason: nil, results: results, completion: completion)
    } catch {
      self.pending[number] = Pending(
        unit: unit, deadline: now, call: nil, reason: .noBus(error), results: nil, completion: completion)
    }
    self.armTimer()
  }

  private func connect() throws(SystemError) -> BusConnection {
    if let connection = self.connection, connection.isOpen { return connection }
    let connection = try BusConnection(to: self.address, on: self.loop)
    self.connection = connection
    return connection
  }

  // MARK: systemd's interface

  private static let service = "org.freedesktop.systemd1"
  private static let path = "/org/freedesktop/systemd1"
  private static let interface = "org.freedesktop.systemd1.Manager"

  private static func method(_ member: String) -> BusMethod {
    BusMethod(self.service, self.path, self.interface, member)
  }

  /// Of the members of a unit the fourth is its active state, and the eighth the number of its job or 0.
  ///
  /// - Returns: Whether the unit starts or stops, or a job for it waits; `nil`: the reply is not understood.
  private static func isBusy(_ units: BusValue?) -> Bool? {
    guard case .array(_, let units)? = units, case .structure(let members)? = units.first, members.count == 10,
      let state = members[3].text, case .uint32(let job) = members[7]
    else { return nil }
    return job != 0 || state.hasSuffix("activating") || state == "reloading"
  }

  /// The results of all jobs that systemd announces: the job's number and path, its unit, and its result.
  private func results(of number: Int, over connection: BusConnection) throws(SystemError) -> BusSignals {
    let rule = BusSignals.rule(
      sender: Self.service, path: Self.path, interface: Self.interface, member: "JobRemoved")
    return try BusSignals(matching: rule, over: connection) { [unowned self] signal in
      guard signal.values.count == 4, case .objectPath(let path) = signal.values[1], let result = signal.values[3].text
      else { return }
      self.jobEnded(Job(path: path, owner: signal.sender), result, of: number)
    }
  }

  // MARK: Ends of a call

  private func replied(_ reply: BusReply, to number: Int) {
    guard let pending = self.pending[number] else { return }
    let error: UnitStartError?
    switch reply {
    case .returned(let answer):
      if case .objectPath(let path)? = answer.values.first {
        guard pending.results == nil else {
          self.pending[number]?.job = Job(path: path, owner: answer.sender)
          self.pending[number]?.deadline = self.loop.now + self.jobTime
          return self.armTimer()
        }
        error = nil
      } else {
        error = UnitStartError(unit: pending.unit, BusError(name: "", message: "the reply names no job"))
      }
    case .failed(let refusal): error = UnitStartError(unit: pending.unit, refusal)
    case .disconnected: error = UnitStartError(unit: pending.unit, reason: .connectionBroken)
    }
    self.end(number, error)
  }

  /// systemd announces a job's end after it has answered the call that queued the job. Any program on the bus may send
  /// such a signal, so its owner is compared too.
  private func jobEnded(_ job: Job, _ result: String, of number: Int) {
    guard let pending = self.pending[number], pending.job == job else { return }
    self.end(number, result == "done" ? nil : UnitStartError(unit: pending.unit, reason: .jobFailed(result: result)))
  }

  private func end(_ number: Int, _ error: UnitStartError?) {
    // Released after its handler, which would be gone otherwise.
    guard let ended = self.pending.removeValue(forKey: number) else { return }
    self.armTimer()
    ended.completion(error.map(Result.failure) ?? .success(()))
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
    if ended.job != nil { return .jobEndless(after: self.jobTime) }
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
