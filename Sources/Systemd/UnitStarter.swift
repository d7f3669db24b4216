import CSystemd
package import EventLoop
import Glibc
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
  private struct Pending {
    let unit: String
    var deadline: Instant
    /// The waiting call; `nil` if it could not be sent.
    let call: BusCall?
    /// Why it fails at the deadline; `nil` if that depends on its progress.
    let reason: UnitStartError.Reason?
    /// The results of jobs, if this call waits for its own.
    let results: JobResults?
    /// The job that systemd queued.
    var job: Job?
    let completion: (Result<Void, UnitStartError>) -> Void
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

  /// Starts the unit. For a running unit this succeeds and changes nothing.
  ///
  /// - Parameters:
  ///   - unit: a name that `WakeUnit` takes.
  ///   - completion: Called once, later, from the loop.
  package func start(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    self.start(unit, followsJob: false, completion: completion)
  }

  /// Starts the unit and waits for the result: of a unit of type oneshot, that it did its work.
  package func run(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    self.start(unit, followsJob: true, completion: completion)
  }

  /// Asks whether the unit is at work, whoever started it: a unit of type oneshot is until it has ended.
  ///
  /// - Parameter completion: Called once, from the loop; within this call only if there is no bus.
  package func ask(_ unit: String, completion: @escaping (Result<Bool, UnitQuestionError>) -> Void) {
    self.lastNumber += 1
    let number = self.lastNumber
    do throws(SystemError) {
      self.questions[number] = try BusCall(
        askingWhetherBusy: unit, over: try self.connect(), within: self.replyTime
      ) { [unowned self] reply in
        // Released after its handler, which would be gone otherwise.
        let call = self.questions.removeValue(forKey: number)
        switch reply {
        case .returned(let isBusy): completion(.success(isBusy))
        case .failed(let error):
          completion(.failure(UnitQuestionError(unit: unit, reason: "\(error.name): \(error.message)")))
        case .disconnected:
          completion(.failure(UnitQuestionError(unit: unit, reason: "the connection to the system bus broke")))
        }
        withExtendedLifetime(call) {}
      }
    } catch {
      completion(.failure(UnitQuestionError(unit: unit, reason: "\(error)")))
    }
  }

  /// This process did not run for so long, until now: systemd may have answered, or did not run either.
  package func gapEnded(_ gap: Duration) {
    for (number, pending) in self.pending { self.pending[number]?.deadline = pending.deadline + gap }
    self.armTimer()
  }

  private func start(
    _ unit: String, followsJob: Bool, completion: @escaping (Result<Void, UnitStartError>) -> Void
  ) {
    self.lastNumber += 1
    let number = self.lastNumber
    let now = self.loop.now
    do throws(SystemError) {
      let connection = try self.connect()
      // Before the call, so that no result is missed.
      let results = followsJob ? try self.results(of: number, over: connection) : nil
      let call = try BusCall(startingUnit: unit, over: connection) { [unowned self] reply in
        self.replied(reply, to: number)
      }
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

  private func results(of number: Int, over connection: BusConnection) throws(SystemError) -> JobResults {
    try JobResults(over: connection) { [unowned self] job, result in self.jobEnded(job, result, of: number) }
  }

  // MARK: Ends of a call

  private func replied(_ reply: BusReply<Job>, to number: Int) {
    if case .returned(let job) = reply, self.pending[number]?.results != nil {
      self.pending[number]?.job = job
      self.pending[number]?.deadline = self.loop.now + self.jobTime
      return self.armTimer()
    }
    guard let ended = self.pending.removeValue(forKey: number) else { return }
    self.armTimer()
    ended.completion(UnitStartError(unit: ended.unit, reply: reply).map(Result.failure) ?? .success(()))
  }

  /// systemd announces a job's end after it has answered the call that queued the job. Any program on the bus may send
  /// such a signal, so its owner is compared too.
  private func jobEnded(_ job: Job, _ result: String, of number: Int) {
    guard let pending = self.pending[number], pending.job == job else { return }
    self.pending[number] = nil
    self.armTimer()
    let error = UnitStartError(unit: pending.unit, reason: .jobFailed(result: result))
    pending.completion(result == "done" ? .success(()) : .failure(error))
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
