import EventLoop
import Glibc
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands
@testable import Track

/// The file of a recording while it runs.
struct GrowingTrackTests {
  private typealias Sample = TrackSamples

  private static let boot = TrackSamples.noon.seconds - 1000 + 86_400

  // MARK: The times of saving

  private static let start = Instant(sinceBoot: .seconds(1000))

  @Test("The first fix is saved at once, others after 10 s or a hundred of them; a picture once a minute")
  func savingSchedule() {
    var savingSchedule = TrackFormat.gpx.savingSchedule
    let isFirstSaved = savingSchedule.fixed(now: Self.start)
    #expect(isFirstSaved)
    savingSchedule.saved()
    #expect(savingSchedule.due == nil)
    let later = [1, 10, 11].map { savingSchedule.fixed(now: Self.start + .seconds($0)) }
    #expect(later == [false, false, true])
    #expect(savingSchedule.due == Self.start + .seconds(11))
    savingSchedule.saved()
    let fast = (1...100).map { savingSchedule.fixed(now: Self.start + .milliseconds(12_000 + $0)) }
    #expect(fast.firstIndex(of: true) == 99)

    var picture = TrackFormat.svg.savingSchedule
    picture.saved()
    let second = (1...1000).map { picture.fixed(now: Self.start + .milliseconds($0)) }
    #expect(!second.contains(true))
    let minute = picture.fixed(now: Self.start + .milliseconds(60_001))
    #expect(minute)
  }

  @Test("A failed save is repeated after a while, not with each fix")
  func failing() {
    var savingSchedule = TrackFormat.gpx.savingSchedule
    _ = savingSchedule.fixed(now: Self.start)
    savingSchedule.failed(now: Self.start)
    #expect(savingSchedule.due == Self.start + .seconds(10))
    let isNextSaved = savingSchedule.fixed(now: Self.start + .seconds(1))
    #expect(!isNextSaved)
    #expect(savingSchedule.due == Self.start + .seconds(10))
  }

  // MARK: Additions

  /// The contents of the file after each step, by a recorder that is read after every fix.
  private static func texts(_ format: TrackFormat, _ segments: [[Fix]]) -> [String] {
    var recorder = TrackRecorder()
    guard var growing = GrowingText(format) else { return [] }
    var kept = ""
    var texts: [String] = []
    for segment in segments {
      recorder.lost()
      for fix in segment {
        recorder.fixed(fix)
        kept += growing.addition(recorder, boot: Self.boot)
        texts.append(kept + growing.closing)
      }
    }
    return texts
  }

  private static let segments = [
    [Sample.fix(0), Sample.fix(1, 48.1001), Sample.fix(2, 48.1002)], [Sample.fix(60, 48.2), Sample.fix(61, 48.2001)],
  ]

  @Test("A growing GPX has the lines and the segments of the final one")
  func gpx() throws {
    let texts = Self.texts(.gpx, Self.segments)
    #expect(texts.count == 5)
    for (place, text) in texts.enumerated() {
      #expect(text.split(separator: "<trkpt ").count == place + 2)
      #expect(text.split(separator: "<trkseg>").count == (place < 3 ? 2 : 3))
      #expect(text.split(separator: "</trkseg>").count == text.split(separator: "<trkseg>").count)
      #expect(text.hasSuffix("    </trkseg>\n  </trk>\n</gpx>\n"))
    }
    let whole = Sample.written(try #require(Sample.track(Self.segments)), .gpx)
    let points = { (text: String) in text.split(separator: "\n").filter { $0.contains("<trkpt") } }
    #expect(points(try #require(texts.last)) == points(whole))
  }

  @Test("A growing GeoJSON is a collection of pieces, which are contiguous within a segment")
  func geojson() throws {
    let texts = Self.texts(.geojson, Self.segments)
    for (place, text) in texts.enumerated() {
      let value = try JSONValue(parsing: Array(text.utf8))
      #expect(value["type"] == "FeatureCollection")
      guard case .array(let features)? = value["features"] else {
        Issue.record("\(text)")
        continue
      }
      #expect(features.count == place + 1)
      #expect(features.allSatisfy { $0["properties"]?["fixes"] == 1 })
    }
    let last = try JSONValue(parsing: Array(try #require(texts.last).utf8))
    guard case .array(let features)? = last["features"] else {
      Issue.record("\(last)")
      return
    }
    let ends = features.map { feature -> [JSONValue] in
      guard case .array(let lines)? = feature["geometry"]?["coordinates"], lines.count == 1,
        case .array(let line) = lines[0], line.count == 2
      else { return [] }
      return line.compactMap { if case .array(let place) = $0 { place[1] } else { nil } }
    }
    #expect(ends == [[48.1, 48.1], [48.1, 48.1001], [48.1001, 48.1002], [48.2, 48.2], [48.2, 48.2001]])
  }

  @Test("Pieces are taken once, whatever happens between two of them")
  func pieces() {
    var recorder = TrackRecorder()
    var pieces = TrackPieces()
    let none = pieces.take(recorder, boot: Self.boot)
    #expect(none.isEmpty)
    var taken: [[TrackPieces.Piece]] = []
    for step in [[0, 1], [2], [], [100, 101, 300], [301]] {
      for second in step { recorder.fixed(Sample.fix(Double(second))) }
      taken.append(pieces.take(recorder, boot: Self.boot))
    }
    #expect(taken.map { $0.map(\.points.count) } == [[2], [1], [], [2, 1], [1]])
    #expect(taken.map { $0.map { $0.last != nil } } == [[false], [true], [], [false, false], [true]])
    let times = taken.joined().flatMap(\.times)
    #expect(times == [0, 1, 2, 100, 101, 300, 301].map { Sample.noon + .seconds($0) })
  }

  // MARK: The file

  private static func file(_ name: String, replaces: Bool = false) throws -> (TemporaryFolder, RecordingFile) {
    let folder = try TemporaryFolder()
    return (folder, RecordingFile(try #require(TrackFile(folder.file(name))), replaces: replaces))
  }

  @Test(
    "Only its owner may read a track, and no file of another name has any of it", arguments: [nil, 0o640] as [mode_t?])
  func secret(mode: mode_t?) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("tour.gpx")
    // Somebody else's file, who keeps it open, where the name could be guessed.
    let planted = folder.file(".tour.gpx.\(getpid()).part")
    try writeFile("mine", to: planted)
    let file = RecordingFile(try #require(TrackFile(path)), replaces: false, mode: mode)
    var recorder = TrackRecorder()
    recorder.fixed(Sample.fix(0, 48))
    try file.save(recorder, boot: Self.boot, now: Self.start)
    #expect(try readFile(planted) == "mine")
    var status = stat()
    try #require(unsafe stat(path, &status) == 0)
    if let mode { #expect(status.st_mode & 0o777 == mode) } else { #expect(status.st_mode & 0o177 == 0) }
  }

  @Test("Overwriting the closing lines leaves a complete file, each time", arguments: TrackFormat.allCases)
  func file(format: TrackFormat) throws {
    let (folder, file) = try Self.file("tour.\(format.rawValue)")
    var recorder = TrackRecorder()
    var lengths: [Int] = []
    for second in 0..<5 {
      if second == 3 { recorder.lost() }
      recorder.fixed(Sample.fix(Double(second), 48 + Double(second) / 1e4))
      try file.save(recorder, boot: Self.boot, now: Self.start + .seconds(second * 30))
      let text = try readFile(file.path)
      #expect(text.hasSuffix([.gpx: "</gpx>\n", .geojson: "\n]}\n", .svg: "</svg>\n"][format] ?? ""))
      lengths.append(text.utf8.count)
    }
    #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0 < $1 } || format == .svg)
    let track = try #require(RecordedTrack(recorder, boot: Self.boot))
    try file.write(track, now: Self.start)
    #expect(try readFile(file.path) == Sample.written(track, format))
    withExtendedLifetime(folder) {}
  }

  @Test("A file that replaced the recording's is left alone, and the recording's own is replaced")
  func replaced() throws {
    let (folder, file) = try Self.file("tour.gpx")
    let recorder = Sample.recorder(Self.segments)
    try file.save(recorder, boot: Self.boot, now: Self.start)
    let track = try #require(RecordedTrack(recorder, boot: Self.boot))
    let other = try NewFile(for: file.path)
    other.write("another's")
    try other.commit(replacing: true)
    #expect(throws: SystemError.self) { try file.write(track, now: Self.start) }
    #expect(try readFile(file.path) == "another's")
    withExtendedLifetime(folder) {}
  }

  // MARK: Invalid fixes

  @Test("A fix at an impossible place or time is skipped, and impossible numbers are left out")
  func nonsense() throws {
    var recorder = TrackRecorder()
    recorder.fixed(Sample.fix(0, 1e308, 11.5))
    recorder.fixed(Sample.fix(1, 48, -1e308))
    recorder.fixed(Sample.fix(1e12))
    #expect(recorder.count == 0)
    var fix = Sample.fix(2, accuracy: 1e308)
    (fix.altitude, fix.speed, fix.course) = (-1e308, -1, 1e300)
    recorder.fixed(fix)
    let point = try #require(recorder.newest)
    #expect(point.horizontalAccuracy == nil && point.altitude == nil && point.speed == nil && point.course == nil)
    for format in TrackFormat.allCases {
      _ = Sample.written(try #require(RecordedTrack(recorder, boot: Self.boot)), format)
    }
  }
}
