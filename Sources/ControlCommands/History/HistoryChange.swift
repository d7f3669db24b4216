import History
import JSONRPC
import Positioning
import Printable
import ProgramArguments
import SQLite

/// `positionctl history forget`: deletes a part of the history.
struct HistoryForgetCommand: HistoryCommand {
  static let near = Option("near", .historyCircle, "forget what was within so many metres of a place")
  static let all = Option(flag: "all", "forget everything")

  static let description = CommandDescription(
    name: "history forget", summary: "delete a time, a place or everything",
    explanation: [
      "Deletes fixes, stays, events and gaps of the time, or the fixes, stays and events at the place. Afterwards no byte of them "
        + "is in the file or beside it. Copies, and what the disk itself keeps of overwritten blocks, are not reached."
    ],
    options: [HistoryOptions.from, HistoryOptions.to, Self.near, Self.all],
    examples: [
      "positionctl history forget --from monday --to monday": "a day",
      "positionctl history forget --near 48.137,11.575,300m": "a place, at all times",
      "positionctl history forget --all": "everything",
    ])

  private enum What {
    case time(from: String?, to: String?)
    case place(HistoryCircle)
    case all
  }

  private let what: What

  init(_ arguments: Arguments) throws(UsageError) {
    let (from, to) = (arguments[HistoryOptions.from], arguments[HistoryOptions.to])
    switch (from ?? to, arguments[Self.near], arguments.has(Self.all)) {
    case (_?, nil, false): self.what = .time(from: from, to: to)
    case (nil, let circle?, false): self.what = .place(circle)
    case (nil, nil, true): self.what = .all
    case (nil, nil, false): throw UsageError("missing --from or --to, --near or --all")
    default: throw UsageError("--from and --to, --near and --all do not go together")
    }
  }

  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let before = try HistoryFailure.of { () throws(StoreError) in try file.count() }
    switch self.what {
    case .time(let from, let to):
      let range = try context.range(from, to)
      try HistoryFailure.of { () throws(StoreError) in try file.forget(range) }
    case .place(let circle): try HistoryFailure.of { () throws(StoreError) in try file.forget(circle) }
    case .all: try HistoryFailure.of { () throws(StoreError) in try file.forget(.all) }
    }
    let gone = before - (try HistoryFailure.of { () throws(StoreError) in try file.count() })
    context.print(JSONValue.object(["fixes": .integer(gone)]), [Line("\(gone.counted("fix", "fixes")) forgotten")])
    return .success
  }
}

/// `positionctl history pause`: records nothing for a while.
struct HistoryPauseCommand: HistoryCommand {
  static let description = CommandDescription(
    name: "history pause", summary: "record nothing for a while",
    explanation: ["Nothing of that time is recorded, not even what positiond reports later. It ends by itself."],
    operands: [.init(name: "DURATION", .required)],
    examples: ["positionctl history pause 2h": "for two hours", "positionctl history pause 30min": "for half an hour"])

  private let duration: Duration

  init(_ arguments: Arguments) throws(UsageError) {
    self.duration = try ValueKind<Duration>.period.value(of: arguments.operands[0], option: "DURATION")
  }

  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let end = context.now + self.duration
    try HistoryFailure.of { () throws(StoreError) in try file.pause(until: end, now: context.now) }
    context.print(
      JSONValue.object(["until": .string("\(end)")]), [Line("nothing is recorded until \(context.clock.text(end))")])
    return .success
  }
}

/// `positionctl history resume`: ends a pause.
struct HistoryResumeCommand: HistoryCommand {
  static let description = CommandDescription(
    name: "history resume", summary: "end a pause of the recording",
    explanation: ["The recorder notices it within a minute."],
    examples: ["positionctl history resume": "record again"])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    try HistoryFailure.of { () throws(StoreError) in try file.pause(until: context.now, now: context.now) }
    context.command.note("recording goes on")
    return .success
  }
}
