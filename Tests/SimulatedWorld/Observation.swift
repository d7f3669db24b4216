import Positioning

/// What can be seen of a world from outside the daemon.
package enum Observation {
  case sent(Program, Request)
  /// The answer to a request: the whole message.
  case answered(Program, Request, JSON)
  /// A notification.
  case notified(Program, method: String, JSON)
  /// What is no message of the protocol, or answers nothing that was asked.
  case strange(Program, String)
  case connected(Program)
  case disconnected(Program)
  /// The daemon asks an agent: the whole request.
  case prompted(Program, JSON)
  /// What an agent did with a prompt, at last.
  case replied(Program, prompt: JSON, ProgramPlan.PromptReply.Act)
  /// A program connected to gpsd's door, or to the one of NMEA 0183, or was disconnected.
  case entered(DoorProgram)
  case left(DoorProgram)
  /// What a program got at gpsd's door.
  case report(DoorProgram, JSON)
  /// A line that a program got at the door of NMEA 0183.
  case sentence(DoorProgram, String)
  /// A program on the client library made a request, the one of this number.
  case libraryAsked(LibraryProgram, Int)
  case libraryHeard(LibraryProgram, LibraryProgram.Heard)
  /// A program that uses GeoClue's interface.
  case desktop(DesktopProgram, DesktopProgram.Seen)
  /// A subscriber of the MQTT broker got a message: its topic, its text, and whether the MQTT broker keeps it.
  case published(String, String, isKept: Bool)
  case bridgeLogged(String)
  /// A client of gpsd began or ended to watch the receiver, or the device was opened or closed.
  case hardware(isWatched: Bool, isOpen: Bool)
  /// A receiver that commands or units turn off works from now on, or does not.
  case radio(isOn: Bool)
  /// A receiver that forgets has its first fix so long after it got its supply, and after how long it would have had it if it had
  /// been given nothing; `nil`: later.
  case acquired(after: Duration, without: Duration?)
  /// A unit that turns the receiver off or on began or ended.
  case unit(String, isRunning: Bool)
  /// The daemon starts a unit for events.
  case started(String, isFailing: Bool)
  /// A user's program is not let in, since there are too many.
  case refused(uid: UInt32)
  /// A connection of a crowd came or left.
  case joined(uid: UInt32)
  case parted(uid: UInt32)
  /// What a program said was answered so; `nil`: it had said nothing.
  case mistaken(Liar, Mistake?, id: Int, JSON)
  case fault(Fault, begins: Bool)
  /// An administrator's call was answered.
  case administered(String, JSON)
  case daemonStarted
  case daemonEnded
  case logged(String)
  /// Half a minute has passed.
  case tick

  /// A request of a program.
  package struct Request: Hashable, Sendable {
    package let id: Int
    package let method: String
    package let parameters: String
    package let sentAt: Duration
    /// How long the daemon had run then.
    package let sentAwake: Duration
    /// Seconds; of `position.get`.
    package var timeout: Int?

    package init(
      id: Int, method: String, parameters: String, sentAt: Duration, sentAwake: Duration, timeout: Int? = nil
    ) {
      self.id = id
      self.method = method
      self.parameters = parameters
      self.sentAt = sentAt
      self.sentAwake = sentAwake
      self.timeout = timeout
    }
  }
}

/// What was seen, and when.
package struct Record {
  package let at: Duration
  package let observation: Observation

  package init(at: Duration, observation: Observation) {
    self.at = at
    self.observation = observation
  }
}

/// A line of the story of a world.
package struct TraceLine: Hashable, Sendable {
  package let at: Duration
  package let text: String
}

extension Observation {
  /// In one line; `nil`: nothing that a reader needs.
  var text: String? {
    switch self {
    case .sent(let program, let request):
      "\(program.plan.name) -> \(request.id) \(request.method) \(request.parameters)"
    case .answered(let program, let request, let reply):
      "\(program.plan.name) <- \(request.id) \(reply["error"].map { "error \($0.text)" } ?? reply["result"]?.text ?? "?")"
    case .notified(let program, let method, let message):
      "\(program.plan.name) <- \(method) \(message["params"]?.text ?? "")"
    case .strange(let program, let line): "\(program.plan.name) <- STRANGE \(line)"
    case .connected(let program): "\(program.plan.name) connected"
    case .disconnected(let program): "\(program.plan.name) disconnected"
    case .prompted(let program, let prompt): "\(program.plan.name) <- \(prompt.text)"
    case .replied(let program, let prompt, let act): "\(program.plan.name) -> \(prompt["id"]?.text ?? "") \(act)"
    case .entered(let program): "\(program.plan.name) entered"
    case .left(let program): "\(program.plan.name) left"
    case .report(let program, let report): "\(program.plan.name) <- \(report.text)"
    case .sentence(let program, let sentence): "\(program.plan.name) <- \(sentence)"
    case .libraryAsked(let program, let number): "\(program.plan.name) asks \(number)"
    case .libraryHeard(let program, let heard): "\(program.plan.name) hears \(heard)"
    case .desktop(let program, let seen): "\(program.plan.name) sees \(seen)"
    case .published(let topic, let text, let isKept): "MQTT: \(topic)\(isKept ? " (kept)" : ""): \(text)"
    case .bridgeLogged(let line): "bridge: \(line)"
    case .hardware(let isWatched, let isOpen):
      "receiver \(isWatched ? "watched" : "not watched"), \(isOpen ? "open" : "closed")"
    case .radio(let isOn): "receiver \(isOn ? "on" : "off")"
    case .acquired(let after, let without):
      "receiver has a fix after \(after), without help after \(without.map { "\($0)" } ?? "more")"
    case .unit(let unit, let isRunning): "\(unit) \(isRunning ? "begins" : "ends")"
    case .started(let unit, let isFailing): "\(unit) is started\(isFailing ? ", and fails" : "")"
    case .refused(let uid): "a program of \(uid) is refused"
    case .joined(let uid): "one of the crowd of \(uid) joined"
    case .parted(let uid): "one of the crowd of \(uid) parted"
    case .mistaken(let liar, let mistake, let id, let answer):
      "\(liar.plan.name) <- \(mistake.map { "\($0)" } ?? "nothing") of \(id): \(answer.text)"
    case .fault(let fault, let begins): "\(begins ? "begins" : "ends"): \(fault.kind)"
    case .administered(let request, let answer):
      "administrator: \(JSON(request).map { "\($0["method"]?.string ?? "") \($0["params"]?.text ?? "")" } ?? request) -> "
        + "\(answer["error"].map { "error \($0.text)" } ?? answer["result"]?.text ?? "?")"
    case .daemonStarted: "daemon started"
    case .daemonEnded: "daemon ended"
    case .logged(let line): "log: \(line)"
    case .tick: nil
    }
  }
}

extension JSON {
  /// In a fixed order of members.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .string(let string): "\"\(string)\""
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ") + "}"
    }
  }
}
