import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments
import Prompts

/// `positionctl agent`: asks a person whether programs may know the position.
struct AgentCommand: Command {
  static let once = Option(flag: "once", "end after one answer")
  static let yes = Option(flag: "yes", "allow everything without asking")
  static let no = Option(flag: "no", "deny everything without asking")

  static let description = CommandDescription(
    name: "agent", summary: "ask you whether programs may know where the device is",
    explanation: [
      "Shows each prompt on this terminal: what the system knows of the program, then what the program says of itself. "
        + "Answer yes, no, once (this time only), reduced (to a few kilometres) or, if it was requested, always (even "
        + "when the program is not connected). First letters are enough, and two answers combine, such as "
        + "\"once reduced\". Runs until Ctrl-C.",
      "A rule in positiond.conf must allow this user to be an agent, with agent=yes.",
    ],
    options: [Self.once, Self.yes, Self.no],
    examples: [
      "positionctl agent": "ask on this terminal until Ctrl-C",
      "positionctl agent --once": "ask once",
      "positionctl agent --no --json": "deny everything, with a line for each; for a script",
    ])

  private let endsAfterFirst: Bool
  /// The automatic answer; `nil`: a person answers.
  private let verdict: Bool?

  init(_ arguments: Arguments) throws(UsageError) {
    let (isYes, isNo) = (arguments.has(Self.yes), arguments.has(Self.no))
    guard !isYes || !isNo else { throw UsageError("--yes and --no cannot be combined") }
    self.endsAfterFirst = arguments.has(Self.once)
    self.verdict = isYes || isNo ? isYes : nil
  }

  func run(in context: CommandContext) -> ExitCode {
    do throws(SystemError) {
      let answerer: AgentSession.Answerer
      if let verdict {
        answerer = .always(isAllowed: verdict)
      } else if let terminal = try context.process.openTerminal() {
        let dialog = TerminalDialog(terminal, isUnicode: context.process.isUnicode)
        try dialog.begin(on: context.loop)
        answerer = .person(dialog)
      } else {
        context.report("agent: no terminal to show prompts on; --yes or --no answers without asking")
        return .usage
      }
      return context.converse(Self.description) { conversation in
        AgentSession(answerer, endsAfterFirst: self.endsAfterFirst, in: conversation).begin()
      }
    } catch {
      context.report("\(error)")
      return .failure
    }
  }
}

/// A running agent: it shows one prompt at a time, and each is answered or withdrawn. After a lost connection it
/// registers again.
final class AgentSession {
  /// The source of answers.
  enum Answerer {
    /// Every prompt gets this answer.
    case always(isAllowed: Bool)
    case person(TerminalDialog)
  }

  private struct Waiting {
    let question: PromptQuestion
    /// When an answer no longer counts.
    let deadline: Instant

    var prompt: PermissionPrompt { self.question.prompt }
  }

  private unowned let conversation: Conversation
  private let answerer: Answerer
  private let endsAfterFirst: Bool
  /// If a person answers, the first one is being shown.
  private var waiting = Fifo<Waiting>()
  private var isEnding = false
  private var isRegistered = false

  init(_ answerer: Answerer, endsAfterFirst: Bool, in conversation: Conversation) {
    self.answerer = answerer
    self.endsAfterFirst = endsAfterFirst
    self.conversation = conversation
  }

  func begin() {
    if case .person(let dialog) = self.answerer {
      dialog.onLine = { [unowned self] in self.typed($0) }
      dialog.onEnd = { [unowned self] in self.conversation.finish(.success) }
      self.conversation.onFinish = { dialog.end() }
    }
    // The registration keeps the session alive.
    self.conversation.follow { _ in PromptRegistration(taking: { self.takes($0) }) { self.happened($0) } }
  }

  // MARK: The daemon

  private func happened(_ event: PromptRegistration.Event) {
    switch event {
    case .registered: self.registered()
    case .withdrawn(let question): self.withdrawn(question)
    case .disconnected: self.conversation.lost()
    case .ended(let error): if let error { self.conversation.fail(error) }
    }
  }

  private func registered() {
    if self.isRegistered {
      self.conversation.restored("prompts in between were not shown here")
    } else if case .person(let dialog) = self.answerer {
      dialog.show(["Waiting for prompts; Ctrl-C ends."])
    }
    self.isRegistered = true
  }

  // MARK: Prompts

  private func takes(_ question: PromptQuestion) -> Bool {
    guard !self.isEnding else { return false }
    let deadline = self.conversation.loop.now + question.prompt.expiresIn
    self.waiting.append(Waiting(question: question, deadline: deadline))
    switch self.answerer {
    case .always(let isAllowed): self.answer(PromptAnswer(isAllowed, to: question.prompt))
    case .person(let dialog): if self.waiting.count == 1 { self.show(on: dialog) }
    }
    return true
  }

  private func withdrawn(_ question: PromptQuestion) {
    guard let place = self.waiting.firstIndex(where: { $0.question === question }) else { return }
    self.waiting.remove(at: place)
    // One that was not shown yet disappears silently.
    guard place == 0, case .person(let dialog) = self.answerer else { return }
    dialog.show(["", "-- withdrawn: answered elsewhere, or expired"])
    self.show(on: dialog)
  }

  private func show(on dialog: TerminalDialog) {
    guard let current = self.waiting.first else { return }
    dialog.discardTyped()
    dialog.show(PromptFormat.lines(current.prompt), asking: self.choices(current))
  }

  private func choices(_ current: Waiting) -> String {
    PromptFormat.choices(current.prompt, left: max(0, (current.deadline - self.conversation.loop.now).seconds))
  }

  // MARK: Answers

  private func typed(_ line: String) {
    guard case .person(let dialog) = self.answerer, let current = self.waiting.first, !self.isEnding else { return }
    do throws(PromptAnswer.Unclear) {
      let answer = try PromptAnswer(reading: line, to: current.prompt)
      self.answer(answer)
      self.show(on: dialog)
    } catch {
      dialog.show([error.reason], asking: self.choices(current))
    }
  }

  private func answer(_ answer: PromptAnswer) {
    guard !self.isEnding, let answered = self.waiting.popFirst() else { return }
    self.conversation.answer(answered.question, answer)
    let record = AnsweredPrompt(principal: answered.prompt.principal, answer: answer)
    self.conversation.print(record, human: [PromptFormat.line(record)])
    if self.endsAfterFirst { self.end() }
  }

  /// Ends once the daemon has read the answer: a later request is answered after that.
  private func end() {
    self.isEnding = true
    self.waiting = []
    self.conversation.request(AuthorizationGetRequest()) { _ in self.conversation.finish(.success) }
  }
}

/// A prompt and its answer, as `positionctl agent` prints it.
struct AnsweredPrompt: Hashable, WireValue {
  let principal: Principal
  /// A denial has no level and no precision.
  let answer: PromptAnswer

  /// The answer's members beside the principal; only ever written.
  static let codec: Codec<AnsweredPrompt> = .written { prompt, writer in
    writer.key("principal")
    Principal.wire.write(prompt.principal, &writer)
    PromptAnswer.wire.writeMembers(of: prompt.answer, &writer)
  }
}

extension PromptAnswer {
  /// Grants all that is requested, or nothing.
  init(_ isAllowed: Bool, to prompt: PermissionPrompt) {
    self = isAllowed ? .allow(level: prompt.level, precision: prompt.precision) : .deny()
  }

  /// Why a line is not an answer, for people.
  struct Unclear: Error, Hashable {
    let reason: String
  }

  private enum Word: String, CaseIterable {
    case yes, no, once, always, reduced
  }

  /// Reads a typed line: words or their first letters, separated by spaces or commas.
  ///
  /// Yes holds while the program is connected, even if it requested always.
  init(reading line: String, to prompt: PermissionPrompt) throws(Unclear) {
    let typed = line.split { $0 == " " || $0 == "," || $0 == "\t" }.map { $0.lowercased() }
    var words: Set<Word> = []
    for text in typed {
      guard let word = Word.allCases.first(where: { $0.rawValue == text || String($0.rawValue.prefix(1)) == text })
      else { throw Unclear(reason: "\"\(text)\" is not an answer") }
      words.insert(word)
    }
    guard !words.isEmpty else { throw Unclear(reason: "an answer is needed") }
    if words.contains(.no), !words.isSubset(of: [.no, .once]) {
      throw Unclear(reason: "no goes with once only")
    }
    if words.contains(.always), prompt.level != .always {
      throw Unclear(reason: "always was not requested")
    }
    self.init(!words.contains(.no), to: prompt)
    if self.isAllowed {
      self.level = words.contains(.always) ? .always : .whenInUse
      if words.contains(.reduced) { self.precision = .reduced }
    }
    self.isRemembered = !words.contains(.once)
  }
}

/// The text form of a prompt. The kernel's facts come first. The program's own statements are separate, and quoted
/// unless they are a plain word, so that they cannot imitate the rest.
enum PromptFormat {
  static func lines(_ prompt: PermissionPrompt) -> [String] {
    let text = PromptText(prompt)
    var lines = [text.question + self.asker(prompt.principal)]
    lines += text.facts.map { "  \($0.label.padded(8))  \($0.text)" }
    if !text.ownWords.isEmpty {
      lines += ["  \(PromptText.ownWordsHeading)"] + text.ownWords.map { "    \($0.label.padded(8))\"\($0.text)\"" }
    }
    return lines
  }

  /// The name that the asking program gives itself, behind the question.
  private static func asker(_ principal: Principal) -> String {
    guard let name = principal.name else { return "" }
    let isPlain = name.utf8.allSatisfy { Self.plain.contains($0) }
    return " (asked by \(isPlain ? name : "\"\(name)\""))"
  }

  /// The characters of a plain name.
  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8)

  /// The possible answers.
  ///
  /// - Parameter left: Seconds until the prompt ends.
  static func choices(_ prompt: PermissionPrompt, left: Double) -> String {
    var words = prompt.level == .always ? ["yes (while connected)", "always"] : ["yes"]
    words += ["no", "once"]
    if prompt.precision == .precise { words.append("reduced") }
    return "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])? (\(TimeSpan.words(left)) left) "
  }

  /// The given answer.
  static func line(_ answered: AnsweredPrompt) -> String {
    let answer = answered.answer
    let who = PrincipalFormat.line(answered.principal)
    let once = answer.isRemembered ? "" : ", this time"
    guard answer.isAllowed, let level = answer.level, let precision = answer.precision else {
      return "-- denied\(once): \(who)"
    }
    return "-- allowed \(level.text), \(precision.text)\(once): \(who)"
  }
}
