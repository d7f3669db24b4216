import Glibc
import PositionProtocol
import Positioning
import Testing

@testable import Track

/// What a track says of the device's way.
struct TrackFiguresTests {
  private typealias Sample = TrackSamples

  /// A drive to the north, a fix each second, which rests where the speed is 0.
  ///
  /// - Parameter speeds: Metres per second, and for how many seconds.
  private static func drive(_ speeds: [(speed: Double, seconds: Int)], accuracy: Double = 4, knowsSpeed: Bool = true)
    -> [Fix]
  {
    var (fixes, time, way) = ([Fix](), 0.0, 0.0)
    for (speed, seconds) in speeds {
      for _ in 0..<seconds {
        var fix = Sample.fix(time, 48 + way / 111_200, accuracy: accuracy)
        if knowsSpeed { fix.speed = speed }
        fixes.append(fix)
        time += 1
        way += speed
      }
    }
    return fixes
  }

  private static func figures(_ segments: [[Fix]]) throws -> TrackFigures {
    try #require(Sample.track(segments)).figures
  }

  @Test("The way, the times and the speeds of a drive with a rest", arguments: [true, false])
  func drive(knowsSpeed: Bool) throws {
    let figures = try Self.figures([Self.drive([(10, 100), (0, 300), (15, 100)], knowsSpeed: knowsSpeed)])
    #expect(abs(figures.distance - 2500) < 30, "\(figures)")
    #expect(abs(figures.moving - 200) < 5 && abs(figures.resting - 300) < 5, "\(figures)")
    #expect(abs((figures.averageSpeed ?? 0) - 12.5) < 0.3, "\(figures)")
    let largest = try #require(figures.largestSpeed)
    #expect(knowsSpeed ? largest == 15 : (14...15).contains(largest), "\(largest)")
    #expect(figures.duration == 499 && figures.gaps == 0 && figures.climb == nil)
  }

  @Test("A slow walk with a poor receiver is movement, and not a rest")
  func walk() throws {
    let figures = try Self.figures([Self.drive([(1, 600)], accuracy: 30, knowsSpeed: false)])
    #expect(abs(figures.distance - 600) < 5 && figures.moving > 590, "\(figures)")
  }

  @Test("One wrong fix is no way and no speed")
  func outlier() throws {
    var fixes = Self.drive([(0, 100)])
    fixes[50].latitude += 0.01
    fixes[50].speed = 90
    let figures = try Self.figures([fixes])
    #expect(figures.distance == 0 && figures.moving == 0 && figures.largestSpeed == nil, "\(figures)")
  }

  @Test("Only what is beyond the altitudes' errors is a climb")
  func climb() throws {
    let heights =
      (0...100).map { Double($0) } + (0...50).map { 100 - Double($0) } + (0...40).map { 50 + 5 * sin(Double($0)) }
    let fixes = heights.enumerated().map { second, height in
      var fix = Sample.fix(Double(second), accuracy: 4)
      (fix.altitude, fix.verticalAccuracy) = (height, 3)
      return fix
    }
    let figures = try Self.figures([fixes])
    #expect(figures.climb == 100 && abs((figures.descent ?? 0) - 55) < 1, "\(figures)")
    let coarse = fixes.map { fix in
      var fix = fix
      fix.verticalAccuracy = 60
      return fix
    }
    let unsure = try Self.figures([coarse])
    #expect(unsure.climb == 0 && unsure.descent == 0, "\(unsure)")
  }

  @Test("Gaps count with their time, and their way does not")
  func gaps() throws {
    let later = [Sample.fix(100, 49, accuracy: 4), Sample.fix(101, 49, accuracy: 4)]
    let figures = try Self.figures([[Sample.fix(0, 48, accuracy: 4), Sample.fix(1, 48, accuracy: 4)], later])
    #expect(figures.gaps == 1 && figures.missing == 99 && figures.distance == 0 && figures.resting == 2, "\(figures)")
  }

  @Test(
    "A track's parts have its way, its time and its fixes together",
    arguments: [TrackSplit.time(60), .distance(500), .stop])
  func parts(split: TrackSplit) throws {
    let track = try #require(Sample.track([Self.drive([(10, 100), (0, 300), (15, 100), (0, 200), (5, 100)])]))
    let parts = track.parts(split)
    #expect(parts.count == [.time(60): 14, .distance(500): 6, .stop: 3][split], "\(parts.map(\.summary))")
    for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.end == next.start) }
    let sum = try #require(parts.map(\.figures).reduce(nil) { sum, next in sum.map { $0 + next } ?? next })
    #expect(sum.count == track.count && sum.duration == track.duration && sum.segments == 1)
    #expect(abs(sum.distance - track.length) < 0.02 * track.length, "\(sum.distance) of \(track.length)")
    if split == .distance(500) { #expect(parts.dropLast().allSatisfy { (500...540).contains($0.length) }) }
  }

  @Test("A device that was turned off where it stood has stopped there")
  func stopUnseen() throws {
    let first = Self.drive([(10, 60)])
    let end = try #require(first.last)
    let later = Self.drive([(10, 60)]).map { fix in
      var fix = fix
      fix.latitude += end.latitude - 48
      fix.time = fix.time.map { $0 + .seconds(3600) }
      fix.arrival = fix.arrival + .seconds(3600)
      return fix
    }
    #expect(try #require(Sample.track([first, later])).parts(.stop).count == 2)
    // A tunnel of the same time is none.
    let tunnel = later.map { fix in
      var fix = fix
      fix.latitude += 0.1
      return fix
    }
    #expect(try #require(Sample.track([first, tunnel])).parts(.stop).count == 1)
  }
}
