import PositionProtocol
import Positioning
import Testing

@testable import ControlCommands
@testable import Track

/// How fixes are recorded.
struct TrackRecorderTests {
  private typealias Sample = TrackSamples

  /// The number of fixes of each segment.
  private func segments(_ recorder: TrackRecorder) -> [Int] { recorder.segments.map(\.count) }

  @Test("A loss ends a segment, and several in a row only one")
  func loss() {
    var recorder = TrackRecorder()
    recorder.lost()
    for second in 0..<3 { recorder.fixed(Sample.fix(Double(second))) }
    recorder.lost()
    recorder.lost()
    for second in 4..<6 { recorder.fixed(Sample.fix(Double(second))) }
    recorder.lost()
    #expect(self.segments(recorder) == [3, 2])
    #expect(recorder.count == 5)
  }

  @Test("A gap ends a segment; its length depends on the requested interval")
  func gap() {
    let seconds = [0.0, 1, 31, 61.5, 62]
    for (minInterval, expected) in [(0, [3, 2]), (1, [3, 2]), (10, [5])] {
      var recorder = TrackRecorder(minInterval: Double(minInterval))
      for second in seconds { recorder.fixed(Sample.fix(second)) }
      #expect(self.segments(recorder) == expected, "every \(minInterval) s")
    }
  }

  @Test("A stationary device with a least distance has no gap, and one that is suddenly far away has")
  func gapByDistance() {
    var recorder = TrackRecorder(minDistance: 50)
    recorder.fixed(Sample.fix(0, 48.1))
    recorder.fixed(Sample.fix(600, 48.1005))
    #expect(self.segments(recorder) == [2])
    recorder.fixed(Sample.fix(1200, 48.2))
    #expect(self.segments(recorder) == [2, 1])
  }

  @Test("A fix that is older than the last, or repeated, is skipped")
  func order() {
    var recorder = TrackRecorder()
    for second in [0.0, 1, 1, 0.5, 2] { recorder.fixed(Sample.fix(second, 48 + second)) }
    #expect(recorder.segments.joined().map(\.place.latitude) == [48, 49, 50])
  }

  @Test("A file has a maximum of fixes, in all segments together")
  func full() {
    var recorder = TrackRecorder(capacity: 3)
    for second in 0..<3 {
      #expect(!recorder.isFull)
      recorder.lost()
      recorder.fixed(Sample.fix(Double(second)))
      recorder.fixed(Sample.fix(Double(second)))
    }
    #expect(recorder.isFull)
  }

  @Test("The dilution of precision belongs to the fixes of its time")
  func dilution() {
    var recorder = TrackRecorder()
    recorder.fixed(Sample.fix(0))
    recorder.saw(Sky(satellites: [], hdop: 0.9, arrival: Instant(sinceBoot: .milliseconds(1_000_500))))
    recorder.fixed(Sample.fix(1))
    recorder.saw(nil)
    recorder.fixed(Sample.fix(2))
    recorder.fixed(Sample.fix(40))
    #expect(recorder.segments.joined().map(\.hdop) == [nil, 0.9, 0.9, nil])
  }

  @Test("A straight way has its length in steps of any size, and a gap adds nothing")
  func length() {
    for step in [0.2, 1, 8, 50] as [Double] {
      var odometer = Odometer()
      for place in stride(from: 0, through: 1000, by: step) {
        odometer.moved(to: Coordinate(latitude: 48 + place / 111_200, longitude: 11), accuracy: 5, at: place)
      }
      #expect(abs(odometer.length - 1000) < 1, "\(step) m")
      odometer.interrupted()
      odometer.moved(to: Coordinate(latitude: 50, longitude: 11), accuracy: 5, at: 2000)
      #expect(abs(odometer.length - 1000) < 1)
    }
  }

  @Test("A receiver that stands still for an hour has moved hardly at all")
  func standing() {
    var random: UInt64 = 1
    func jitter() -> Double {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 2.2 * (Double(random >> 11) / 0x1p53 - 0.5)
    }
    var odometer = Odometer()
    var (north, east) = (0.0, 0.0)
    for second in 0..<3600 {
      // Wanders with its accuracy of 5 m.
      north = 0.98 * north + jitter()
      east = 0.98 * east + jitter()
      odometer.moved(
        to: Coordinate(latitude: 48 + north / 111_200, longitude: 11 + east / 74_400), accuracy: 5,
        at: Double(second))
    }
    // The sum of its steps is above 3 km.
    #expect(odometer.length < 50, "\(odometer.length)")
    #expect(odometer.moving < 60 && odometer.moving + odometer.resting == 3599, "\(odometer.moving)")
  }

  @Test("Times are the receiver's, to the millisecond")
  func times() throws {
    let track = try #require(Sample.track([[Sample.fix(0), Sample.fix(1.25)], [Sample.fix(60)]]))
    #expect(track.segments.map(\.times) == [[0, 1.25], [60]].map { $0.map { Sample.noon + .seconds($0) } })
    #expect(track.duration == 60)
  }

  @Test("A receiver's time that contradicts most of its fixes is ignored", arguments: [-18, 3600, -1024 * 604_800])
  func jumps(error: Int) throws {
    let track = try #require(
      Sample.track([
        (0..<20).map { Sample.fix(Double($0), clockError: $0 < 5 || $0 == 12 ? Double(error) : 0) }
      ]))
    #expect(track.segments[0].times == (0..<20).map { Sample.noon + .seconds($0) })
  }

  @Test("A time that jitter puts before another is no step back")
  func monotone() throws {
    let jitter = [0, 1.5, -1.5, 0.5, -1, 1.9, 0]
    let track = try #require(
      Sample.track([jitter.enumerated().map { Sample.fix(Double($0) / 10, clockError: $1) }]))
    let times = track.segments[0].times
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("A receiver without a time gets the machine's")
  func ownClock() throws {
    let track = try #require(Sample.track([[Sample.fix(0, clockError: nil), Sample.fix(1, clockError: nil)]]))
    #expect(track.start == Sample.noon + .seconds(86_400))
    #expect(track.duration == 1)
  }

  @Test("Without a fix there is no track")
  func empty() {
    #expect(Sample.track([]) == nil)
    #expect(Sample.track([[]]) == nil)
  }

  @Test("A track has a description for people")
  func words() throws {
    let short = try #require(Sample.track([[Sample.fix(0), Sample.fix(5, 48.11)]]))
    #expect(short.title == "Track of 2026-01-31, 12:00:00 to 12:00:05 UTC")
    #expect(short.summary == "2 fixes, 1.11 km in 5.0 s")
    let long = try #require(Sample.track([[Sample.fix(0)], [Sample.fix(90_000)]]))
    #expect(long.title == "Track of 2026-01-31, 12:00 to 2026-02-01, 13:00 UTC")
    #expect(long.summary == "2 fixes, 0 m in 25 h, 2 segments")
  }

  @Test("The progress line shows the number of fixes and the distance")
  func line() {
    var recorder = TrackRecorder()
    #expect(
      TrackLine.text(recorder, availability: .searching, columns: 80) == "searching, no fix yet")
    recorder.fixed(Sample.fix(0, accuracy: 4))
    recorder.fixed(Sample.fix(70, 48.11, accuracy: 3.1))
    #expect(TrackLine.text(recorder, availability: .available, columns: 80) == "2 fixes; 0 m; \u{B1}3.1 m; 70 s")
    #expect(TrackLine.text(recorder, availability: .lost, columns: 20).count == 19)
  }
}
