import Positioning
import Testing

@testable import Trust

@Suite struct EvidenceTests {
  /// A receiver that has been judged for three minutes, and is trusted.
  static func trusted(speed: Double? = 0, course: Double? = nil, strengths: [Double]? = nil) -> Scene {
    var scene = Scene()
    (scene.speed, scene.course, scene.strengths) = (speed, course, strengths)
    scene.run(180)
    return scene
  }

  // MARK: Honest receivers

  @Test("A receiver whose time and movement agree is trusted, at rest and in motion", arguments: [0, 1.4, 30, 240])
  func honest(speed: Double) {
    let scene = Self.trusted(speed: speed, course: 70)
    #expect(scene.verdict == Verdict(integrity: .trusted))
  }

  @Test("Nothing speaks for a receiver that has just started, or that reports no speed")
  func unknown() {
    var scene = Scene()
    scene.run(20)
    #expect(scene.verdict == Verdict())
    #expect(Self.trusted(speed: nil).verdict == Verdict())
  }

  // MARK: time

  @Test(
    "A time that jumps is untrusted with its third report, whichever way",
    arguments: [-3600, -30, 30, 3600, 619_315_200])
  func timeJump(seconds: Double) {
    var scene = Self.trusted()
    scene.clock = Timestamp(seconds: scene.clock.seconds + seconds)
    #expect(scene.seconds(until: .untrusted, inFirst: 10) { _ in } == 3)
    #expect(scene.verdict.reasons == [.time])
  }

  @Test("The time of a receiver that hung since its first report, and goes on, is nothing")
  func hungSinceTheStart() {
    var scene = Scene()
    // It was on before the daemon, and repeats an epoch of four minutes ago.
    let time = scene.clock
    scene.clock = Timestamp(seconds: time.seconds - 240)
    scene.epoch()
    scene.clock = time
    scene.epoch(after: 440)
    scene.run(120) { #expect($0.verdict.integrity != .untrusted) }
    #expect(scene.verdict.integrity == .trusted)
  }

  @Test("One wrong date, as decoders make it at midnight, is nothing")
  func oneWrongDate() {
    var scene = Self.trusted()
    for (second, offset) in [0.0, 86_400, -86_400, 0, 0].enumerated() {
      scene.clock = Timestamp(seconds: scene.clock.seconds + offset)
      scene.run(1)
      #expect(scene.verdict.integrity != .untrusted && scene.verdict.reasons.isEmpty, "\(second)")
    }
  }

  @Test(
    "A correction by the leap seconds is nothing soon after the start, and suspect later", arguments: [-18.0, 3, 18])
  func leapSeconds(seconds: Double) {
    for minutes in [5, 20] {
      var scene = Scene()
      scene.run(minutes * 60)
      scene.clock = Timestamp(seconds: scene.clock.seconds + seconds)
      scene.run(10)
      #expect(scene.verdict.reasons == (minutes == 5 ? [] : [.time]), "\(minutes) min")
      #expect(scene.verdict.integrity != .untrusted)
    }
  }

  @Test("A link that holds reports back for a minute, and brings them late ever after, is nothing")
  func lag() {
    var scene = Self.trusted()
    for _ in 0..<60 {
      scene.clock = Timestamp(seconds: scene.clock.seconds - 0.9)
      scene.run(1)
      #expect(scene.verdict.reasons.isEmpty)
    }
    scene.run(60)
    #expect(scene.verdict.reasons.isEmpty)
  }

  @Test("Drift and hours without the receiver are nothing; a clock that runs at another pace is untrusted")
  func pace() {
    var scene = Self.trusted()
    scene.run(3600) { $0.clock = Timestamp(seconds: $0.clock.seconds + 0.0002) }
    #expect(scene.verdict.integrity == .trusted)
    scene.rest(seconds: 7200)
    scene.clock = Timestamp(seconds: scene.clock.seconds + 2)
    scene.run(60)
    #expect(scene.verdict.integrity == .trusted)
    scene.run(1200)
    let seconds = scene.seconds(until: .untrusted, inFirst: 60) { $0.clock = Timestamp(seconds: $0.clock.seconds + 1) }
    #expect(seconds.map { $0 < 30 } == true)
  }

  @Test("A time of an hour ago that plays after the receiver slept is untrusted")
  func replayAfterSleep() {
    var scene = Self.trusted()
    scene.rest(seconds: 7200)
    scene.clock = Timestamp(seconds: scene.clock.seconds - 3600)
    #expect(scene.seconds(until: .untrusted, inFirst: 10) { _ in } == 3)
  }

  @Test(
    "A time that stays another one is the receiver's after a quarter of an hour, and half a minute without evidence")
  func adoption() {
    var scene = Self.trusted()
    scene.clock = Timestamp(seconds: scene.clock.seconds + 3600)
    scene.run(890)
    #expect(scene.verdict.integrity == .untrusted)
    scene.run(10 + 32 + 60)
    #expect(scene.verdict.integrity == .trusted)
  }

  // MARK: speed

  @Test("A jump is untrusted with its first report, until the position is back", arguments: [400, 5000, 500_000])
  func jump(metres: Double) {
    var scene = Self.trusted()
    let home = scene.place
    scene.place = home.moved(metres: metres, course: 45)
    #expect(scene.seconds(until: .untrusted, inFirst: 10) { _ in } == 1)
    #expect(scene.verdict.reasons == [.speed])
    scene.run(600)
    #expect(scene.verdict.integrity == .untrusted)
    scene.place = home
    scene.run(30 + 180 + 42)
    #expect(scene.verdict.integrity == .trusted)
  }

  @Test("A jump in the first half minute of a start is nothing")
  func jumpAtStart() {
    var scene = Scene()
    scene.run(20)
    scene.place = scene.place.moved(metres: 5000, course: 45)
    scene.run(200)
    #expect(scene.verdict.integrity == .trusted)
  }

  @Test("A journey while the receiver sleeps is no jump, one that no device makes is")
  func journey() {
    var scene = Self.trusted()
    scene.rest(seconds: 3600)
    scene.place = scene.place.moved(metres: 100_000, course: 45)
    scene.run(60)
    #expect(scene.verdict.reasons.isEmpty)
    scene.rest(seconds: 60)
    scene.place = scene.place.moved(metres: 500_000, course: 45)
    scene.run(1)
    #expect(scene.verdict.integrity == .untrusted)
  }

  @Test(
    "One position far away is untrusted, and keeps nothing from being trusted after it, whatever the device does then")
  func oneJump() {
    var scene = Self.trusted()
    let home = scene.place
    scene.place = home.moved(metres: 30_000, course: 0)
    scene.run(1)
    #expect(scene.verdict.integrity == .untrusted)
    scene.place = home
    scene.run(10)
    var moved = scene
    scene.run(25)
    #expect(scene.verdict.reasons.isEmpty)
    // The receiver sleeps while the device goes on.
    moved.rest(seconds: 660)
    moved.place = moved.place.moved(metres: 18_000, course: 170)
    moved.run(40)
    #expect(moved.verdict.reasons.isEmpty)
  }

  @Test("One position nearby that is wrong, now and then, makes nothing untrusted")
  func oneStray() {
    var scene = Self.trusted()
    let home = scene.place
    for _ in 0..<4 {
      #expect(scene.seconds(until: .untrusted, inFirst: 60) { _ in } == nil)
      scene.place = home.moved(metres: 250, course: 0)
      scene.run(1)
      #expect(scene.verdict.integrity != .untrusted)
      scene.place = home
    }
    scene.run(40)
    #expect(scene.verdict.integrity == .trusted)
  }

  @Test(
    "A position that is dragged off while the speed stays is untrusted",
    arguments: [(1.0, 2.0, 65), (1.0, 15, 180), (5, 2, 20)])
  func dragOff(speed: Double, error: Double, limit: Int) {
    var scene = Scene()
    scene.error = error
    scene.run(180)
    var dragged = 0.0
    let home = scene.place
    let seconds = scene.seconds(until: .untrusted, inFirst: 200) {
      dragged += speed
      $0.place = home.moved(metres: dragged, course: 200)
    }
    #expect(seconds.map { $0 <= limit } == true, "\(seconds ?? 0) s")
    #expect(scene.verdict.reasons == [.speed])
  }

  @Test("Where a drag-off ends is no true place, and a device that comes back from it is trusted")
  func dragOffEnds() {
    var scene = Self.trusted()
    let home = scene.place
    var dragged = 0.0
    scene.run(200) {
      dragged += 1
      $0.place = home.moved(metres: dragged, course: 200)
    }
    scene.run(600) { $0.place = home.moved(metres: dragged, course: 200) }
    #expect(scene.verdict.integrity == .untrusted)
    scene.run(260) { $0.place = home }
    #expect(scene.verdict.integrity == .trusted)
  }

  @Test("A position that wanders within its error is nothing")
  func wander() {
    var scene = Self.trusted()
    let home = scene.place
    for second in 0..<600 {
      scene.place = home.moved(metres: Double(second % 60 < 30 ? second % 30 : 30 - second % 30) / 3, course: 90)
      scene.epoch()
      #expect(scene.verdict.reasons.isEmpty)
    }
  }

  @Test("Turns, stops and a course that is missing at rest are nothing")
  func town() {
    var scene = Self.trusted()
    for leg in 0..<40 {
      scene.speed = leg % 3 == 2 ? 0.1 : 13.9
      scene.course = leg % 3 == 2 ? nil : Double(leg * 90 % 360)
      scene.run(20)
      #expect(scene.verdict.reasons.isEmpty, "\(leg)")
    }
  }

  // MARK: stuck

  @Test("A place that repeats while the receiver reports a speed is suspect, and then untrusted")
  func stuck() {
    var scene = Self.trusted(speed: 20, course: 90)
    let place = scene.place
    let first = scene.seconds(until: .suspect, inFirst: 30) { $0.place = place } ?? 0
    #expect((1...15).contains(first))
    scene.run(20) { $0.place = place }
    #expect(scene.verdict.integrity == .untrusted && scene.verdict.reasons.contains(.stuck))
  }

  @Test("A resting receiver that repeats its place is trusted, whatever the noise of its speed")
  func resting() {
    var scene = Scene()
    scene.run(3600) { $0.speed = $0.now.sinceBoot.components.seconds % 2 == 0 ? 0.4 : 0 }
    #expect(scene.verdict.reasons.isEmpty)
  }

  // MARK: signal

  static let sky: [Double] = [44, 41, 38, 35, 47, 30, 27, 40, 33]

  @Test("Satellites that become alike cannot be trusted; those that always were are suspect")
  func alike() {
    var scene = Self.trusted(strengths: Self.sky)
    #expect(scene.verdict.integrity == .trusted)
    scene.strengths = Self.sky.map { _ in 45 }
    #expect(scene.seconds(until: .untrusted, inFirst: 10) { _ in } == 5)
    #expect(scene.verdict.reasons.contains(.signal))
    #expect(
      Self.trusted(strengths: Self.sky.map { _ in 45 }).verdict == Verdict(integrity: .suspect, reasons: [.signal]))
  }

  @Test("What rises or falls together is suspect for half a minute, a tunnel's mouth is not", arguments: [-12.0, 12])
  func common(change: Double) {
    var scene = Self.trusted(strengths: Self.sky)
    scene.strengths = Self.sky.map { $0 + change }
    scene.run(1)
    #expect(scene.verdict == Verdict(integrity: .suspect, reasons: [.signal]))
    scene.run(35)
    #expect(scene.verdict.integrity == .trusted)
    scene.strengths = Self.sky.enumerated().map { $0.element + change * Double($0.offset % 3 + 1) }
    scene.run(1)
    #expect(scene.verdict.integrity == .trusted)
  }

  @Test("A few satellites are alike by chance")
  func few() {
    #expect(Self.trusted(strengths: [40, 40, 40, 40, 40]).verdict.integrity == .trusted)
  }

  // MARK: jamming

  @Test("The receiver's indicator is suspect when it is high for five seconds, and not when it is high for a moment")
  func jamming() {
    var scene = Self.trusted()
    scene.jamming = 120
    scene.run(60)
    scene.jamming = 255
    scene.run(3)
    scene.jamming = 30
    scene.run(3)
    #expect(scene.verdict == Verdict(integrity: .trusted))
    scene.jamming = 255
    #expect(scene.seconds(until: .suspect, inFirst: 10) { _ in } == 6)
    #expect(scene.verdict.reasons == [.jamming])
    scene.jamming = nil
    scene.run(31)
    #expect(scene.verdict.integrity == .trusted)
  }

  // MARK: disagreement

  @Test(
    "Two receivers farther apart than their errors are suspect, both; closer ones are not", arguments: [90.0, 2000])
  func disagreement(metres: Double) {
    var scene = Self.trusted()
    let other = "/dev/ttyUSB0"
    for _ in 0..<60 {
      scene.epoch()
      scene.report(device: other, at: scene.place.moved(metres: metres, course: 10))
    }
    let expected: IntegrityReasons = metres > 1000 ? [.disagreement] : []
    #expect(scene.verdict.reasons == expected && scene.verdict.integrity == (metres > 1000 ? .suspect : .trusted))
    #expect(scene.judge.verdict(of: other).reasons == expected)
  }

  // MARK: Together

  @Test("Two kinds of weak evidence together cannot be trusted")
  func together() {
    var scene = Self.trusted(strengths: Self.sky)
    scene.strengths = Self.sky.map { $0 - 12 }
    scene.run(1)
    #expect(scene.verdict.integrity == .suspect)
    for _ in 0..<8 {
      scene.epoch()
      scene.report(device: "/dev/ttyUSB0", at: scene.place.moved(metres: 2000, course: 10))
    }
    #expect(scene.verdict == Verdict(integrity: .untrusted, reasons: [.signal, .disagreement]))
  }

  @Test("A session that ends and a loss take the support away, and not what speaks against the receiver")
  func sessions() {
    var scene = Self.trusted()
    scene.place = scene.place.moved(metres: 5000, course: 0)
    scene.run(1)
    scene.rest(seconds: 10)
    #expect(scene.verdict == Verdict())
    scene.run(1)
    #expect(scene.verdict.integrity == .untrusted)
  }

  @Test("As many made-up receivers as anybody likes cost no memory, and hide no other")
  func madeUp() {
    var scene = Self.trusted()
    for number in 0..<1000 {
      scene.epoch()
      scene.report(device: "/dev/made-up\(number)")
    }
    #expect(scene.verdict.integrity == .trusted)
  }
}
