import Positioning

/// Looks up users and groups on separate threads: a hanging directory server delays only the client of the lookup, and
/// after a time limit the lookup fails.
///
/// `@unchecked Sendable`: it is used only on the loop's thread, to which the other threads hand their results.
package final class AccountService: @unchecked Sendable {
  private let loop: EventLoop
  private let system: @Sendable (AccountQuery) -> AccountLookup<Account>
  private var queue = AccountLookupQueue()
  private let subordinates: () -> SubordinateNumbers
  private var askers: [UInt64: (AccountLookup<Account>) -> Void] = [:]
  private var lastAsker: UInt64 = 0
  private var timer: LoopTimer?
  /// Called with an answer that came after its caller's deadline.
  package var onLearned: (AccountQuery, Account?) -> Void = { _, _ in }

  /// - Parameters:
  ///   - subordinates: The present subordinate numbers.
  ///   - system: The lookup, which runs on another thread and may block.
  package init(
    loop: EventLoop, subordinates: @escaping () -> SubordinateNumbers = SubordinateFile.reader(),
    system: @escaping @Sendable (AccountQuery) -> AccountLookup<Account> = { $0.ask() }
  ) throws(SystemError) {
    self.loop = loop
    self.subordinates = subordinates
    self.system = system
    self.timer = try loop.timer(accuracy: .milliseconds(1)) { [unowned self] in
      self.perform(self.queue.deadlineReached(now: self.loop.now))
    }
  }

  /// Whose number it may be, if it has no user; at once.
  package func claim(of uid: UInt32) -> SubordinateNumbers.Claim? { self.subordinates().claim(of: uid) }

  /// Calls back with the answer: at once if it is cached, else from the loop, at the latest at the deadline.
  ///
  /// - Parameter anew: Whether cached answers must not be used.
  package func ask(
    _ question: AccountQuery, within timeout: Duration? = nil, anew: Bool = false,
    then answer: @escaping (AccountLookup<Account>) -> Void
  ) {
    self.lastAsker += 1
    self.askers[self.lastAsker] = answer
    self.perform(
      self.queue.asked(
        question, by: self.lastAsker, within: timeout ?? AccountLookupQueue.timeout, anew: anew, now: self.loop.now))
  }

  /// Looks up several at once, without cached answers, and calls back once with all results.
  package func ask(
    _ questions: Set<AccountQuery>, within timeout: Duration? = nil,
    then answer: @escaping ([AccountQuery: AccountLookup<Account>]) -> Void
  ) {
    guard !questions.isEmpty else { return answer([:]) }
    let gathered = CollectedAnswers()
    // Always in the same order, so that a run can be repeated.
    for question in questions.sorted(by: { "\($0)" < "\($1)" }) {
      self.ask(question, within: timeout, anew: true) { lookup in
        gathered.answers[question] = lookup
        if gathered.answers.count == questions.count { answer(gathered.answers) }
      }
    }
  }

  /// Runs the loop until all are answered; for use before anything else is on the loop.
  ///
  /// - Throws: when the loop cannot wait.
  package func wait(
    for questions: Set<AccountQuery>, within timeout: Duration
  ) throws(SystemError) -> [AccountQuery: AccountLookup<Account>] {
    let gathered = CollectedAnswers()
    self.ask(questions, within: timeout) { gathered.all = $0 }
    while true {
      if let all = gathered.all { return all }
      _ = try self.loop.runOnce(timeout: nil)
    }
  }

  private func perform(_ actions: [AccountLookupQueue.Action]) {
    for action in actions {
      switch action {
      case .put(let question): self.put(question)
      case .answer(let asker, let lookup): self.askers.removeValue(forKey: asker)?(lookup)
      case .learned(let question, .found(let account)): self.onLearned(question, account)
      case .learned(let question, .absent): self.onLearned(question, nil)
      case .learned(_, .unknown): break
      }
    }
    if let deadline = self.queue.nextDeadline { self.timer?.arm(at: deadline) } else { self.timer?.disarm() }
  }

  private func put(_ question: AccountQuery) {
    do throws(SystemError) {
      try self.loop.performBeside(name: "accounts") { [self] in
        let lookup = self.system(question)
        self.loop.call { self.answered(question, lookup) }
      }
    } catch {
      self.loop.call { self.answered(question, .unknown(error)) }
    }
  }

  private func answered(_ question: AccountQuery, _ lookup: AccountLookup<Account>) {
    self.perform(self.queue.answered(question, lookup, now: self.loop.now))
  }
}

/// The answers so far to several lookups.
private final class CollectedAnswers {
  var answers: [AccountQuery: AccountLookup<Account>] = [:]
  var all: [AccountQuery: AccountLookup<Account>]?
}
