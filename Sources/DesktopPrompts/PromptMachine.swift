package import Positioning
package import Systemd

/// Decides how a person is asked: by the portal's Access dialog where there is one, else by a notification with buttons.
///
/// One prompt is shown at a time, so that no button appears under a pointer that is about to press another. Only a person's
/// answer grants or denies. When none can come, positiond gets an error: it asks another agent, or the program gets a
/// clear denial.
package struct PromptMachine {
  package typealias PromptNumber = Int
  package typealias CallNumber = UInt64

  package enum Event {
    /// positiond has a prompt.
    case asked(PromptNumber, PermissionPrompt)
    /// It was answered elsewhere or expired, or positiond has gone.
    case withdrawn(PromptNumber)
    case replied(CallNumber, BusReply)
    /// A button of a notification of this program on the bus was pressed.
    case pressed(String, on: UInt32, of: String?)
    /// A notification was closed.
    case closed(UInt32, of: String?)
    /// The program that showed notifications has left the bus.
    case notificationsLost(of: String)
    /// The agent ends.
    case stopped
  }

  package struct Call: Hashable, Sendable {
    package let method: BusMethod
    package var arguments: [BusValue] = []
    package var startsService = false
    package var limit: Duration?
  }

  package enum Action: Hashable, Sendable {
    case call(CallNumber, Call)
    /// Nobody needs the reply any more.
    case release(CallNumber)
    /// Report what happens to notifications, or do so no longer.
    case followNotifications(Bool)
    case answer(PromptNumber, PromptAnswer)
    /// The person closed the prompt without a decision.
    case dismiss(PromptNumber)
    /// The person could not be asked, for this reason.
    case fail(PromptNumber, String)
    case log(LogLevel, String)
  }

  private enum Stage {
    /// The bus lists the names on it.
    case listingRunning
    /// The bus lists the names that it can start.
    case listingStartable(running: [String])
    case dialog(AccessDialog)
    /// The notification service says what it can do.
    case readingCapabilities
    /// It is about to show the notification.
    case notifying
    case notified(owner: String?, id: UInt32)
  }

  /// The prompt whose turn it is.
  private struct Current {
    let number: PromptNumber
    let prompt: PermissionPrompt
    /// The call that is under way; that of a notification has been answered.
    var call: CallNumber
    var stage: Stage
    /// The backends that were not asked yet.
    var backends = Fifo<String>()
    /// Why others could not show it.
    var failures: [String] = []

    var usesNotifications: Bool {
      switch self.stage {
      case .readingCapabilities, .notifying, .notified: true
      case .listingRunning, .listingStartable, .dialog: false
      }
    }
  }

  private let desktops: [String]
  /// Where the handles of dialogs are; different in each process.
  private let handles: String
  private var waiting = Fifo<(number: PromptNumber, prompt: PermissionPrompt)>()
  private var current: Current?
  /// Notifications that must be closed as soon as their number is known.
  private var abandoned: Set<CallNumber> = []
  private var lastCall: CallNumber = 0
  private var followsNotifications = false

  /// How long a service on the bus may take to answer; one that cannot start never does.
  static let replyTimeout = Duration.seconds(25)

  /// - Parameters:
  ///   - desktops: The names of the desktop, the most specific first.
  ///   - process: This process's number.
  package init(desktops: [String], process: Int32) {
    self.desktops = desktops
    self.handles = "\(AccessDialog.path)/request/positiond/p\(process)"
  }

  package mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .asked(let number, let prompt): self.waiting.append((number, prompt))
    case .withdrawn(let number): self.withdraw(number, &actions)
    case .replied(let call, let reply): self.replied(call, reply, &actions)
    case .pressed(let key, let id, let sender): self.pressed(key, on: id, of: sender, &actions)
    case .closed(let id, let sender): self.closed(id, of: sender, &actions)
    case .notificationsLost(let owner): self.lost(owner, &actions)
    case .stopped:
      self.waiting = []
      if let current = self.current.take() { self.takeBack(current, &actions) }
    }
    self.begin(&actions)
    return actions
  }

  // MARK: Turns

  /// Begins with the next prompt, unless one is being shown.
  private mutating func begin(_ actions: inout [Action]) {
    if self.current == nil, let next = self.waiting.popFirst() {
      let call = self.call(Call(method: .ofBus("ListNames"), limit: Self.replyTimeout), &actions)
      self.current = Current(number: next.number, prompt: next.prompt, call: call, stage: .listingRunning)
    }
    let needsNotifications = self.current?.usesNotifications ?? false
    if needsNotifications != self.followsNotifications {
      self.followsNotifications = needsNotifications
      // Before the calls, so that no signal is missed.
      actions.insert(.followNotifications(needsNotifications), at: 0)
    }
  }

  private mutating func call(_ call: Call, _ actions: inout [Action]) -> CallNumber {
    self.lastCall += 1
    actions.append(.call(self.lastCall, call))
    return self.lastCall
  }

  private mutating func enter(_ stage: Stage, by call: Call, _ actions: inout [Action]) {
    let number = self.call(call, &actions)
    self.current?.stage = stage
    self.current?.call = number
  }

  private mutating func withdraw(_ number: PromptNumber, _ actions: inout [Action]) {
    self.waiting.removeAll { $0.number == number }
    guard let current = self.current, current.number == number else { return }
    self.current = nil
    self.takeBack(current, &actions)
  }

  /// Removes what the person sees, or is about to see.
  private mutating func takeBack(_ current: Current, _ actions: inout [Action]) {
    switch current.stage {
    case .listingRunning, .listingStartable, .readingCapabilities: actions.append(.release(current.call))
    case .dialog(let dialog):
      actions.append(.release(current.call))
      _ = self.call(Call(method: dialog.closing, startsService: true), &actions)
    case .notifying: self.abandoned.insert(current.call)
    case .notified(_, let id): self.close(id, &actions)
    }
  }

  private mutating func close(_ id: UInt32, _ actions: inout [Action]) {
    _ = self.call(
      Call(method: PromptNotification.method("CloseNotification"), arguments: [.uint32(id)]), &actions)
  }

  // MARK: Ways to ask

  private mutating func replied(_ call: CallNumber, _ reply: BusReply, _ actions: inout [Action]) {
    if self.abandoned.remove(call) != nil {
      if case .uint32(let id)? = reply.values.first { self.close(id, &actions) }
      return
    }
    guard let current = self.current, current.call == call else { return }
    switch current.stage {
    case .listingRunning:
      self.enter(
        .listingStartable(running: reply.names),
        by: Call(method: .ofBus("ListActivatableNames"), limit: Self.replyTimeout), &actions)
    case .listingStartable(let running):
      self.current?.backends = Fifo(
        PortalBackends.ordered(running: running, startable: reply.names, desktops: self.desktops))
      self.askNext(&actions)
    case .dialog(let dialog): self.dialogEnded(dialog, of: current, reply, &actions)
    case .readingCapabilities:
      if let error = reply.failure {
        self.failed("\(PromptNotification.service): \(error)", &actions)
      } else if PromptNotification.hasButtons(reply.values) {
        self.enter(
          .notifying,
          by: Call(
            method: PromptNotification.method("Notify"), arguments: PromptNotification.arguments(current.prompt),
            startsService: true), &actions)
      } else {
        self.failed("\(PromptNotification.service): its notifications have no buttons", &actions)
      }
    case .notifying:
      if case .returned(let answer) = reply, case .uint32(let id)? = answer.values.first {
        self.current?.stage = .notified(owner: answer.sender, id: id)
      } else {
        self.failed("\(PromptNotification.service): \(reply.failure ?? "no number of a notification")", &actions)
      }
    case .notified: break
    }
  }

  /// Asks the next backend, or the notification service after the last one.
  private mutating func askNext(_ actions: inout [Action]) {
    guard let current = self.current else { return }
    guard let backend = self.current?.backends.popFirst() else {
      let method = PromptNotification.method("GetCapabilities")
      return self.enter(
        .readingCapabilities, by: Call(method: method, startsService: true, limit: Self.replyTimeout), &actions)
    }
    let dialog = AccessDialog(service: backend, handle: "\(self.handles)_\(self.lastCall + 1)")
    self.enter(
      .dialog(dialog),
      by: Call(method: dialog.opening, arguments: dialog.arguments(current.prompt), startsService: true), &actions)
  }

  private mutating func dialogEnded(
    _ dialog: AccessDialog, of current: Current, _ reply: BusReply, _ actions: inout [Action]
  ) {
    if let error = reply.failure {
      self.current?.failures.append("\(dialog.service): \(error)")
      return self.askNext(&actions)
    }
    switch AccessDialog.outcome(reply.values, to: current.prompt) {
    case .answered(let answer): self.end(.answer(current.number, answer), &actions)
    case .dismissed: self.end(.dismiss(current.number), &actions)
    case .nonsense:
      self.current?.failures.append("\(dialog.service): no answer of a dialog")
      self.askNext(&actions)
    }
  }

  // MARK: Notifications

  private func isCurrent(_ id: UInt32, of sender: String?) -> Bool {
    guard case .notified(let owner, id)? = self.current?.stage, let owner else { return false }
    return owner == sender
  }

  private mutating func pressed(
    _ key: String, on id: UInt32, of sender: String?, _ actions: inout [Action]
  ) {
    guard let current = self.current, self.isCurrent(id, of: sender),
      let answer = PromptNotification.answer(key, to: current.prompt)
    else { return }
    self.end(.answer(current.number, answer), &actions)
    // Some services leave it open.
    self.close(id, &actions)
  }

  private mutating func closed(_ id: UInt32, of sender: String?, _ actions: inout [Action]) {
    guard let current = self.current, self.isCurrent(id, of: sender) else { return }
    self.end(.dismiss(current.number), &actions)
  }

  private mutating func lost(_ lost: String, _ actions: inout [Action]) {
    guard case .notified(let owner, _)? = self.current?.stage, owner == lost else { return }
    self.failed("\(PromptNotification.service) has ended while it showed the prompt", &actions)
  }

  // MARK: Ends

  private mutating func end(_ action: Action, _ actions: inout [Action]) {
    self.current = nil
    actions.append(action)
  }

  /// The last way to ask has failed.
  private mutating func failed(_ reason: String, _ actions: inout [Action]) {
    guard let current = self.current else { return }
    let reasons = (current.failures + [reason]).joined(separator: "; ")
    actions.append(.log(.warning, "a prompt could not be shown: \(reasons)"))
    self.end(.fail(current.number, "the prompt could not be shown: \(reasons)"), &actions)
  }
}

extension BusReply {
  /// Empty: the call has failed.
  fileprivate var values: [BusValue] {
    if case .returned(let answer) = self { answer.values } else { [] }
  }

  fileprivate var names: [String] {
    if case .strings(let names)? = self.values.first { names } else { [] }
  }

  /// Why the call has failed.
  fileprivate var failure: String? {
    switch self {
    case .returned: nil
    case .failed(let error): error.message.isEmpty ? error.name : error.message
    case .disconnected: "the bus has closed the connection"
    }
  }
}

/// Which of the programs on the bus are asked for an Access dialog, and in which order.
///
/// The desktop's own backend comes first, then GTK's, which xdg-desktop-portal takes where a desktop has none. Others
/// are asked if they run, but not started: one that is installed for another desktop would start to no purpose. One
/// without the interface answers with an error, and the next is asked.
enum PortalBackends {
  static let prefix = "org.freedesktop.impl.portal.desktop."

  /// - Parameters:
  ///   - running: The names on the bus.
  ///   - startable: The names that the bus can start.
  ///   - desktops: As in `XDG_CURRENT_DESKTOP`, the most specific first.
  static func ordered(running: [String], startable: [String], desktops: [String]) -> [String] {
    let known = Set(running + startable)
    let preferred = (desktops.map { $0.lowercased() } + ["gtk"]).map { self.prefix + $0 }.filter { known.contains($0) }
    let others = running.filter { $0.hasPrefix(self.prefix) }.sorted()
    return (preferred + others).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
