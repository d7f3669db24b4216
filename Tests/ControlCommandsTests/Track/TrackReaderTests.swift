import PositionProtocol
import Positioning
import Testing

@testable import Track

/// Reading tracks back from files.
struct TrackReaderTests {
  private typealias Sample = TrackSamples

  private static let formats: [TrackFormat] = [.gpx, .kml, .csv, .geojson]

  private static func read(_ text: String, _ format: TrackFormat) throws -> RecordedTrack {
    try RecordedTrack(reading: Array(text.utf8), format)
  }

  /// Two segments, over the antimeridian.
  private static let segments = [
    (0..<40).map { second in
      var fix = Sample.fix(Double(second), 10 + Double(second) / 5000, 179.9999 + Double(second) / 1e7, accuracy: 4)
      (fix.altitude, fix.verticalAccuracy, fix.speed) = (500 + 2 * Double(second), 5, 22)
      return fix
    },
    (100..<110).map { Sample.fix(Double($0), 11, -179.9, accuracy: 4) },
  ]

  @Test("What was written is read, with the same figures", arguments: formats)
  func written(format: TrackFormat) throws {
    let track = try #require(Sample.track(Self.segments))
    let read = try Self.read(Sample.written(track, format), format)
    #expect(read.segments.map(\.times) == track.segments.map(\.times))
    #expect(
      read.segments.map { $0.points.map(\.place.latitude) } == track.segments.map { $0.points.map(\.place.latitude) })
    #expect(read.figures == track.figures)
  }

  @Test("A recording that was killed is read as if it had ended", arguments: formats)
  func killed(format: TrackFormat) throws {
    var recorder = TrackRecorder()
    var (growing, kept) = (try #require(GrowingText(format)), "")
    for segment in Self.segments {
      recorder.lost()
      for fix in segment {
        recorder.fixed(fix)
        kept += growing.addition(recorder, boot: 0)
      }
    }
    let read = try Self.read(kept + growing.closing, format)
    #expect(read.count == 50 && read.segments.count == 2, "\(read.segments.map(\.points.count))")
    // Cut in the middle of a line. JSON is not to be read then.
    if format == .gpx || format == .csv { #expect(try Self.read(String(kept.dropLast(30)), format).count >= 48) }
  }

  @Test("A track over the antimeridian is one segment again")
  func antimeridian() throws {
    let fixes = (0..<4).map { Sample.fix(Double($0), 10, Double($0) < 2 ? 179.99 + Double($0) / 200 : -179.99) }
    let track = try #require(Sample.track([fixes]))
    #expect(try Self.read(Sample.written(track, .geojson), .geojson).segments.count == 1)
  }

  @Test("GPX of other programs is read: prefixes, quotes, comments, elements without content")
  func foreign() throws {
    let text = """
      <?xml version="1.0"?><!-- <trkpt lat="1" lon="1"> --><g:gpx xmlns:g="http://www.topografix.com/GPX/1/1">
      <g:wpt lat="1" lon="2"><g:time>2026-01-31T11:00:00Z</g:time></g:wpt>
      <g:trk><g:name><![CDATA[a > b </trk>]]></g:name><g:link href="x"/><g:trkseg>
      <g:trkpt lon = '11.5' lat = '48.1' >
        <g:ele> 519.2 </g:ele><g:time>
        2026-01-31T13:00:00+01:00 </g:time></g:trkpt>
      <g:trkpt lat="48.2" lon="11.5"><g:time>2026-01-31T12:10:00Z</g:time><g:ele>nan</g:ele></g:trkpt>
      <g:trkpt lat="98.2" lon="11.5"><g:time>2026-01-31T12:11:00Z</g:time></g:trkpt>
      <g:trkpt lat="48.3" lon="11.5"/>
      </g:trkseg></g:trk></g:gpx>
      """
    let track = try Self.read(text, .gpx)
    #expect(track.count == 2 && track.start == Sample.noon && track.duration == 600)
    #expect(track.segments[0].points.map(\.altitude) == [519.2, nil])
  }

  @Test("A CSV without segments is divided where fixes are missing; columns may be in any order")
  func table() throws {
    let text = """
      longitude_deg,latitude_deg,time,note
      11.5,48.1,2026-01-31T12:00:00Z,x
      11.5,48.1,2026-01-31T12:00:10Z,
      "11.5","48.1","2026-01-31T12:01:00Z",y
      """
    #expect(try Self.read(text, .csv).segments.map(\.points.count) == [2, 1])
  }

  @Test("GeoJSON of other programs is read: a bare feature, a line, times of an older name")
  func feature() throws {
    let text = """
      {"type":"Feature","properties":{"coordTimes":["2026-01-31T12:00:00Z","2026-01-31T12:00:10.5Z"]},
      "geometry":{"type":"LineString","coordinates":[[11.5,48.1,500],[11.51,48.1]]}}
      """
    let track = try Self.read(text, .geojson)
    #expect(track.count == 2 && track.duration == 10.5 && track.length > 700)
  }

  @Test("No text makes reading fail otherwise than with an error", arguments: formats)
  func nonsense(format: TrackFormat) throws {
    let whole = Array(Sample.written(try #require(Sample.track(Self.segments)), format).utf8)
    var random = SeededRandom(seed: 7)
    for _ in 0..<300 {
      var text = whole
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let start = Int.random(in: 0..<text.count / 2, using: &random)
      let end = Int.random(in: start..<text.count, using: &random)
      do throws(UnreadableTrack) {
        let track = try RecordedTrack(reading: Array(text[start..<end]), format)
        #expect(track.figures.distance.isFinite && track.count > 0)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
