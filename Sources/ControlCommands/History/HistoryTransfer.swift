import EventLoop
import Glibc
import History
import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable
import ProgramArguments
import SQLite
import Track

/// `positionctl history track`: a part of the history as a track.
struct HistoryTrackCommand: HistoryCommand {
  static let description = CommandDescription(
    name: "history track", summary: "write a recorded time as a track",
    explanation: [
      "The formats are those of \"positionctl track\". An existing file is kept unless --overwrite is given. Only you may read "
        + "the file, unless --mode says otherwise."
    ],
    options: [
      HistoryOptions.from, HistoryOptions.to, TrackCommand.output, TrackCommand.mode, TrackCommand.overwrite,
    ],
    examples: [
      "positionctl history track --from yesterday --to yesterday -o yesterday.gpx": "a day",
      "positionctl history track --from 8:00 --to 9:00 -o way.svg": "an hour, as a picture",
    ])

  private let file: TrackFile
  private let from: String?
  private let to: String?
  private let mode: mode_t?
  private let overwrites: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard let file = arguments[TrackCommand.output] else { throw UsageError("missing \(TrackCommand.output.form)") }
    self.file = file
    (self.from, self.to) = (arguments[HistoryOptions.from], arguments[HistoryOptions.to])
    (self.mode, self.overwrites) = (arguments[TrackCommand.mode], arguments.has(TrackCommand.overwrite))
  }

  func run(_ history: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let range = try context.range(self.from, self.to)
    let fixes = try HistoryFailure.of { () throws(StoreError) in try history.fixes(in: range) }
    guard let track = RecordedTrack(fixes) else { throw HistoryFailure("no fix is recorded of that time") }
    try HistoryFailure.writing(self.file.path, replaces: self.overwrites, mode: self.mode) { output in
      var output = output
      self.file.format.write(track, to: &output)
    }
    context.command.note("\(self.file.path): \(track.figures.summary(distance: context.command.format.distance))")
    return .success
  }
}

extension RecordedTrack {
  /// `nil` if there is no fix. The times are those of the history.
  init?(_ fixes: [HistoryFix]) {
    guard let start = fixes.first?.time else { return nil }
    // The history says where a segment begins; how long nothing came does not.
    var recorder = TrackRecorder(minInterval: .infinity, capacity: .max)
    for fix in fixes {
      if fix.beginsSegment { recorder.lost() }
      recorder.fixed(fix.fix(arrival: Instant(sinceBoot: fix.time - start)))
    }
    self.init(recorder, boot: start.seconds)
  }
}

extension HistoryFailure {
  /// Writes a file that appears when it is complete.
  static func writing(
    _ path: String, replaces: Bool, mode: mode_t? = nil, _ body: (NewFile) -> Void
  ) throws(HistoryFailure) {
    do throws(SystemError) {
      let file = try NewFile(for: path, mode: mode)
      body(file)
      try file.commit(replacing: replaces)
    } catch {
      let advice = error.code == EEXIST ? "choose another name, or replace it with --overwrite" : nil
      throw HistoryFailure("cannot \(error)", advice: advice)
    }
  }
}

/// `positionctl history export`: a copy for another machine or program.
struct HistoryExportCommand: HistoryCommand {
  static let description = CommandDescription(
    name: "history export", summary: "copy the history into a file",
    explanation: [
      "FILE.db is a whole copy, which \"positionctl history import\" reads on another machine. FILE.json is OwnTracks' JSON, one "
        + "position a line, for other programs: its times are whole seconds. Only you may read the file."
    ],
    operands: [.init(name: "FILE", .required)], options: [TrackCommand.overwrite],
    examples: [
      "positionctl history export backup.db": "everything",
      "positionctl history export positions.json": "for OwnTracks and programs that read its JSON",
    ])

  private let path: String
  private let overwrites: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    self.path = arguments.operands[0]
    self.overwrites = arguments.has(TrackCommand.overwrite)
    guard self.path.hasSuffix(".db") || self.path.hasSuffix(".json") else {
      throw UsageError(
        "\"\(self.path)\" ends in neither .db nor .json; \"positionctl history track\" writes other formats")
    }
  }

  func run(_ history: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    if self.path.hasSuffix(".db") {
      if self.overwrites { _ = unsafe unlink(self.path) }
      try HistoryFailure.of { () throws(StoreError) in try history.copy(to: self.path) }
    } else {
      let fixes = try HistoryFailure.of { () throws(StoreError) in try history.fixes(in: .all) }
      try HistoryFailure.writing(self.path, replaces: self.overwrites) { file in
        for fix in fixes { file.write("\(JSONFormat.line(fix.ownTracks))\n") }
      }
    }
    let count = try HistoryFailure.of { () throws(StoreError) in try history.count() }
    context.command.note("\(self.path): \(count.counted("fix", "fixes"))")
    return .success
  }
}

extension HistoryFix {
  /// https://owntracks.org/booklet/tech/json/
  fileprivate var ownTracks: JSONValue {
    let fix = self.fix(arrival: .boot)
    var members: [String: JSONValue] = [
      "_type": "location", "lat": .number(fix.latitude), "lon": .number(fix.longitude),
      "tst": .integer(Int(self.time.wholeSeconds.milliseconds / 1000)),
    ]
    members["acc"] = fix.horizontalAccuracy.map { .integer(Int($0.rounded(.up))) }
    members["alt"] = fix.altitude.map { .integer(Int($0.rounded())) }
    members["vac"] = fix.verticalAccuracy.map { .integer(Int($0.rounded(.up))) }
    members["vel"] = fix.speed.map { .integer(Int(($0 * 3.6).rounded())) }
    members["cog"] = fix.course.map { .integer(Int($0.rounded())) }
    return .object(members)
  }
}

/// `positionctl history import`: positions of other programs and machines.
struct HistoryImportCommand: CreatingHistoryCommand {
  static let description = CommandDescription(
    name: "history import", summary: "add the positions of a file",
    explanation: [
      "Reads GPX, Google Takeout's JSON, OwnTracks' JSON, and what \"positionctl history export\" wrote. A position is added "
        + "where the history has none within a minute, so a file can be imported again. Of a file with an error nothing is added."
    ],
    operands: [.init(name: "FILE", .required)],
    examples: [
      "positionctl history import Records.json": "Google Takeout's",
      "positionctl history import tour.gpx": "a track",
    ])

  /// More is not what a person has.
  private static let largest = 4 << 30

  private let path: String

  init(_ arguments: Arguments) throws(UsageError) { self.path = arguments.operands[0] }

  func run(_ history: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let imported: ImportedHistory
    if self.path.hasSuffix(".db") {
      imported = try HistoryFailure.of { () throws(StoreError) in
        try ImportedHistory(HistoryFile.open(self.path, creates: false))
      }
    } else {
      imported = try self.read()
    }
    let added = try HistoryFailure.of { () throws(StoreError) in try history.merge(imported) }
    let known = imported.fixes.count - added.fixes
    context.print(
      JSONValue.object(["fixes": .integer(added.fixes), "stays": .integer(added.stays), "known": .integer(known)]),
      [
        Line(
          "\(added.fixes.counted("fix", "fixes")) and \(added.stays.counted("stay", "stays")) added; "
            + "\(known) \(known == 1 ? "was" : "were") known")
      ])
    return .success
  }

  private func read() throws(HistoryFailure) -> ImportedHistory {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SystemDisk().read(self.path, limit: Self.largest)
    } catch {
      throw HistoryFailure("cannot \(error)")
    }
    do throws(ImportFailure) {
      return try ImportedHistory(bytes, name: self.path)
    } catch {
      throw HistoryFailure("\(self.path): \(error); nothing was imported")
    }
  }
}
