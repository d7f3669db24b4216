package import EventLoop
import Glibc
import JSONRPC
import PositionClient
import Positioning
package import Systemd

/// Executes the machine's actions: the one place where positiond and the desktop meet. It decides nothing.
package final class DesktopAgent {
  private let loop: EventLoop
  private let log: Log
  private let bus: BusConnection
  /// Called when it cannot go on, with the reason and the exit status for it.
  private let fail: (String, Int32) -> Void
  private let multiplexer: RequestMultiplexer
  private var machine: PromptMachine
  private var disconnection: BusSignals?
  private var notificationSignals: [BusSignals] = []
  private var calls: [PromptMachine.CallNumber: BusCall] = [:]
  private var questions: [PromptMachine.PromptNumber: PromptQuestion] = [:]
  private var lastQuestion = 0
  private var isRegistered: Bool?
  /// Events that occur while actions are executed are handled after these.
  private var waiting = Fifo<PromptMachine.Event>()
  private var isHandling = false

  /// - Parameters:
  ///   - address: The bus's address in D-Bus notation.
  ///   - desktops: The names of the desktop, the most specific first.
  ///   - socket: positiond's socket.
  ///   - fail: Called when it cannot go on, with the reason and the exit status for it.
  /// - Throws: When nothing listens at the bus's address.
  package init(
    on loop: EventLoop, bus address: String, desktops: [String], socket: String, log: Log,
    fail: @escaping (String, Int32) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.log = log
    self.fail = fail
    self.machine = PromptMachine(desktops: desktops, process: getpid())
    self.bus = try BusConnection(to: address, on: loop)
    self.multiplexer = RequestMultiplexer(
      on: loop, path: socket, name: "positiond-desktop", purpose: "shows prompts on the desktop")
    self.disconnection = try BusSignals(matching: BusSignals.disconnection, over: self.bus) { _ in
      fail("the bus has closed the connection", ExitCode.failure)
    }
    try self.multiplexer.begin()
    let registration = PromptRegistration(taking: { [unowned self] in self.asked($0) }) { [unowned self] in
      self.happened($0)
    }
    self.multiplexer.add(registration, ticket: self.multiplexer.makeTicket())
  }

  /// Removes what it shows, and leaves positiond, which asks another agent.
  package func end() {
    self.handle(.stopped)
    self.multiplexer.close()
  }

  // MARK: positiond

  private func asked(_ question: PromptQuestion) -> Bool {
    self.lastQuestion += 1
    self.questions[self.lastQuestion] = question
    self.handle(.asked(self.lastQuestion, question.prompt))
    return true
  }

  private func happened(_ event: PromptRegistration.Event) {
    switch event {
    case .registered:
      if self.isRegistered != true { self.log.write(.info, "shows positiond's prompts on this desktop") }
      self.isRegistered = true
    case .disconnected:
      if self.isRegistered != false {
        self.log.write(.info, "waits for positiond: \(self.multiplexer.connectionError)")
      }
      self.isRegistered = false
    case .withdrawn(let question):
      guard let number = self.questions.first(where: { $0.value === question })?.key else { return }
      self.questions[number] = nil
      self.handle(.withdrawn(number))
    case .ended(let error):
      if let error { self.ended(error) }
    }
  }

  private func ended(_ error: PositionError) {
    let reason = "\(error)\(error.advice.map { "; \($0)" } ?? "")"
    if case .notPermitted = error {
      self.fail(reason, ExitCode.notPermitted)
    } else {
      self.fail(reason, ExitCode.failure)
    }
  }

  private func answer(_ number: PromptMachine.PromptNumber, _ result: Result<PromptAnswer, RPCError>) {
    guard let question = self.questions.removeValue(forKey: number) else { return }
    self.multiplexer.answer(question, result)
  }

  // MARK: The machine

  private func handle(_ event: PromptMachine.Event) {
    self.waiting.append(event)
    guard !self.isHandling else { return }
    self.isHandling = true
    defer { self.isHandling = false }
    while let event = self.waiting.popFirst() {
      for action in self.machine.handle(event) { self.perform(action) }
    }
  }

  private func perform(_ action: PromptMachine.Action) {
    switch action {
    case .call(let number, let call): self.call(number, call)
    case .release(let number): self.calls[number] = nil
    case .followNotifications(let follows): self.follow(follows)
    case .answer(let number, let answer): self.answer(number, .success(answer))
    case .dismiss(let number): self.answer(number, .failure(.requestCancelled))
    case .fail(let number, let reason): self.answer(number, .failure(.internalError(reason)))
    case .log(let level, let message): self.log.write(level, message)
    }
  }

  private func call(_ number: PromptMachine.CallNumber, _ call: PromptMachine.Call) {
    do throws(SystemError) {
      self.calls[number] = try BusCall(
        call.method, call.arguments, over: self.bus, startsService: call.startsService, within: call.limit
      ) { [unowned self] reply in
        self.calls[number] = nil
        self.handle(.replied(number, reply))
      }
    } catch {
      self.handle(.replied(number, .failed(BusError(.failed, "\(error)"))))
    }
  }

  private func follow(_ follows: Bool) {
    guard follows else { return self.notificationSignals = [] }
    do throws(SystemError) {
      self.notificationSignals = [
        try BusSignals(matching: PromptNotification.rule("ActionInvoked"), over: self.bus) { [unowned self] signal in
          guard signal.values.count == 2, case .uint32(let id) = signal.values[0], let key = signal.values[1].text
          else {
            return
          }
          self.handle(.pressed(key, on: id, of: signal.sender))
        },
        try BusSignals(matching: PromptNotification.rule("NotificationClosed"), over: self.bus) {
          [unowned self] signal in
          guard case .uint32(let id)? = signal.values.first else { return }
          self.handle(.closed(id, of: signal.sender))
        },
        try BusSignals(matching: BusSignals.ownerChange(of: PromptNotification.service), over: self.bus) {
          [unowned self] signal in
          guard signal.values.count == 3, let former = signal.values[1].text, !former.isEmpty else { return }
          self.handle(.notificationsLost(of: former))
        },
      ]
    } catch {
      self.log.write(.warning, "cannot follow notifications: \(error)")
    }
  }
}
