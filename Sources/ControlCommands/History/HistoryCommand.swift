import EventLoop
import History
import JSONRPC
import PositionProtocol
import Positioning
import ProgramArguments
import SQLite

/// A command that reads or changes the user's history, without positiond.
protocol HistoryCommand: Command {
  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode
}

/// What a command of the history has.
struct HistoryContext {
  let command: CommandContext
  let clock: LocalClock
  let now: Timestamp

  var reader: TimeReader { TimeReader(clock: self.clock, now: self.now) }

  /// Prints a result as JSON if that was requested, else as lines.
  func print(_ value: some WireValue, _ lines: @autoclosure () -> [Line]) {
    self.command.print(value, drawn: lines())
  }

  func range(_ text: String) throws(HistoryFailure) -> ClosedRange<Timestamp> {
    guard let range = self.reader.range(text) else { throw HistoryFailure(TimeReader.message(text)) }
    return range
  }

  /// The time between two given ones; without them, all of it or so many days up to now.
  func range(
    _ from: String?, _ to: String?, days: Int? = nil
  ) throws(HistoryFailure) -> ClosedRange<Timestamp> {
    let begin: Timestamp
    if let from {
      begin = try self.range(from).lowerBound
    } else {
      begin = days.map { self.now + .seconds(-86_400 * $0) } ?? ClosedRange.all.lowerBound
    }
    let end =
      try to.map { (text) throws(HistoryFailure) in try self.range(text).upperBound } ?? ClosedRange.all.upperBound
    guard begin <= end else { throw HistoryFailure("--from is later than --to") }
    return begin...end
  }
}

/// Why a command of the history fails, and what to do.
struct HistoryFailure: Error {
  let message: String
  var advice: String?

  init(_ message: String, advice: String? = nil) {
    self.message = message
    self.advice = advice
  }
}

extension HistoryCommand {
  func run(in context: CommandContext) -> ExitCode {
    do throws(HistoryFailure) {
      guard let path = HistoryFile.usualPath(context.process.environment) else {
        throw HistoryFailure("there is no folder for the history: set HOME or \(HistoryFile.variable)")
      }
      let file = try HistoryFailure.of { () throws(StoreError) in
        try HistoryFile.open(path, creates: self is any CreatingHistoryCommand)
      }
      let now = Timestamp(since1970: context.moment.since1970)
      return try self.run(file, in: HistoryContext(command: context, clock: context.process.localClock, now: now))
    } catch {
      if context.wantsJSON {
        context.process.report(ErrorObject(name: "history", message: error.message))
      } else {
        context.report(error.message)
        error.advice.map { context.advise($0) }
      }
      return .failure
    }
  }
}

/// One that begins a history where there is none.
protocol CreatingHistoryCommand: HistoryCommand {}

extension HistoryFailure {
  /// Runs what reads or changes the file.
  static func of<Value>(_ body: () throws(StoreError) -> Value) throws(HistoryFailure) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      let isMissing = error.attempt.hasPrefix("open ") && error.message.contains("No such file")
      throw HistoryFailure(
        "\(error)",
        advice: isMissing
          ? "nothing was recorded yet; turn the recorder on with \"systemctl --user enable --now positiond-history\""
          : nil)
    }
  }
}

enum HistoryOptions {
  static let from = Option("from", .time, "the begin of the time: a day or a time of day, such as yesterday or 9:30")
  static let to = Option("to", .time, "its end; a day counts as a whole")
}

extension ValueKind where Value == String {
  /// A time, which is read when the command runs: it depends on the clock.
  static let time = ValueKind.name("TIME", "a time, such as \(TimeReader.examples)")
}
