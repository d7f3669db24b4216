import NMEA
import Positioning
import ProgramArguments
import ReceiverPorts
import Testing
import UBX

@testable import ReceiverSimulator

@Suite("Fault specifications") struct FaultParserTests {
  @Test(
    "a fault is read with its value, its start and its duration",
    arguments: [
      ("nosky@10s+5s", Fault(.noSky, start: .seconds(10), duration: .seconds(5))), ("silence", Fault(.silence)),
      ("deaf@5s", Fault(.deaf, start: .seconds(5))),
      ("unplug@1min+500ms", Fault(.unplug, start: .seconds(60), duration: .milliseconds(500))),
      ("garbage=100@2", Fault(.garbage(bytes: 100), start: .seconds(2))), ("garbage", Fault(.garbage(bytes: 64))),
      ("split@0s", Fault(.split)), ("merge", Fault(.merge)), ("corrupt=0.5", Fault(.corrupt(rate: 0.5))),
      ("timejump=-1024weeks@10s", Fault(.timeJump(.seconds(-619_315_200)), start: .seconds(10))),
      ("timejump=+2s", Fault(.timeJump(.seconds(2)))), ("jump=500,90", Fault(.jump(distance: 500, course: 90))),
      ("dragoff@10s", Fault(.dragOff(speed: 1, course: 0), start: .seconds(10))),
      ("dragoff=2,90", Fault(.dragOff(speed: 2, course: 90))), ("replay=1h", Fault(.replay(.seconds(3600)))),
      ("jamming", Fault(.jamming(decibels: 12))), ("jamming=40@5s", Fault(.jamming(decibels: 40), start: .seconds(5))),
      ("meaconing", Fault(.meaconing(distance: 500, course: 0))),
      ("meaconing=300,45", Fault(.meaconing(distance: 300, course: 45))),
      ("jump=500@1h+1h", Fault(.jump(distance: 500, course: 0), start: .seconds(3600), duration: .seconds(3600))),
    ])
  func parsed(text: String, fault: Fault) throws {
    #expect(try Fault(parsing: text) == fault)
  }

  @Test(
    "an invalid fault is refused with the reason",
    arguments: [
      ("rain", "\"rain\" is no kind of fault; expected nosky"), ("nosky=3", "nosky takes no value"),
      ("nosky@soon", "START is \"soon\"; expected a duration"), ("nosky@1s+", "DURATION is \"\""),
      ("nosky@1s+0s", "DURATION must be more than 0"), ("nosky@1s+1s+1s", "more than one +"),
      ("nosky@-1s", "START is before the beginning"), ("corrupt=2", "SHARE is 2, outside 0.0 to 1.0"),
      ("garbage=many", "BYTES is \"many\", not a number"), ("timejump", "timejump needs a time"),
      ("jump", "jump needs a distance"), ("jump=1,2,3", "jump takes METRES and a COURSE, no more"),
      ("dragoff=1,2,3", "dragoff takes SPEED"), ("replay", "replay needs a time"), ("replay=-1s", "TIME must be more"),
      ("jamming=-1", "DECIBELS is -1"), ("", "\"\" is no kind of fault"),
    ])
  func refused(text: String, expected: String) {
    let error = #expect(throws: UsageError.self) { try Fault(parsing: text) }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }
}

@Suite("Faults in a simulation") struct FaultTests {
  static let start = Instant(sinceBoot: .seconds(1000))
  static let utc = Timestamp(milliseconds: 1_738_324_800_500)

  /// Runs a receiver that has a fix at once for `seconds`, and returns each epoch's output.
  static func run(_ faults: [Fault], seconds: Int, period: Duration = .seconds(1)) -> [Simulation.Output] {
    var simulation = Simulation(
      settings: .init(period: period, receiver: .init(firstStart: .ready, keepsRunning: true), faults: faults),
      at: Self.start, utc: Self.utc)
    var outputs: [Simulation.Output] = []
    var now = Self.start
    while true {
      let next = simulation.nextEpoch(after: now)
      guard next.due < Self.start + .seconds(seconds) else { return outputs }
      outputs.append(simulation.epochDue(next.time, at: next.due))
      now = next.due
    }
  }

  static func text(_ pieces: [[UInt8]]) -> String {
    String(decoding: pieces.joined(), as: UTF8.self)
  }

  @Test("epochs fall on round times, from the first after the start", arguments: [1, 2, 5, 10, 20, 25])
  func roundTimes(rate: Int) {
    let outputs = Self.run([], seconds: 3, period: .milliseconds(1000 / rate))
    #expect(outputs.count >= 3 * rate - 1)
    let times = outputs.compactMap { $0.epoch?.time.milliseconds }
    #expect(times.first.map { $0 > Self.utc.milliseconds && $0 - Self.utc.milliseconds <= 1000 / Int64(rate) } == true)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1000 / Int64(rate) })
    #expect(times.allSatisfy { $0 % (1000 / Int64(rate)) == 0 })
    #expect(outputs.allSatisfy { $0.pieces.count == 1 })
    #expect(outputs.count { $0.epoch?.includesSky == true } == 3)
  }

  @Test("without sky the epochs go on and have no fix; then a hot start follows")
  func noSky() {
    let fixes = Self.run([Fault(.noSky, start: .seconds(3), duration: .seconds(4))], seconds: 11)
      .map { $0.epoch?.solution != nil }
    #expect(fixes == [true, true, true, false, false, false, false, false, true, true, true])
  }

  @Test("a silent or unplugged receiver sends nothing", arguments: [Fault.Kind.silence, .unplug])
  func silence(kind: Fault.Kind) {
    let outputs = Self.run([Fault(kind, start: .seconds(3), duration: .seconds(4))], seconds: 9)
    #expect(outputs.map { $0.epoch == nil } == [false, false, false, true, true, true, true, false, false])
    #expect(outputs.map(\.pieces.isEmpty) == outputs.map { $0.epoch == nil })
  }

  @Test("garbage precedes the sentences and leaves them whole")
  func garbage() throws {
    let output = try #require(Self.run([Fault(.garbage(bytes: 50))], seconds: 1).first)
    let bytes = output.pieces.flatMap(\.self)
    #expect(bytes[50] == UInt8(ascii: "$"))
    #expect(!bytes[..<50].contains(UInt8(ascii: "$")))
    let clean = try #require(Self.run([], seconds: 1).first)
    #expect(Array(bytes[50...]) == clean.pieces.flatMap(\.self))
  }

  @Test("split sentences come in many pieces that make the same whole")
  func split() throws {
    let output = try #require(Self.run([Fault(.split)], seconds: 1).first)
    #expect(output.pieces.count > 10)
    #expect(output.pieces.allSatisfy { (1...48).contains($0.count) })
    #expect(Self.text(output.pieces) == Self.text(try #require(Self.run([], seconds: 1).first).pieces))
  }

  @Test("of merged epochs two come in one piece, and none is lost when the fault ends")
  func merge() {
    let clean = Self.run([], seconds: 6)
    let merged = Self.run([Fault(.merge, duration: .seconds(5))], seconds: 6)
    #expect(merged.map(\.pieces.count) == [0, 1, 0, 1, 0, 1])
    #expect(Self.text(merged.flatMap(\.pieces)) == Self.text(clean.flatMap(\.pieces)))
  }

  @Test("the requested share of the messages has a wrong checksum", arguments: [0.0, 0.25, 1])
  func corrupt(rate: Double) {
    let bytes = Self.run([Fault(.corrupt(rate: rate))], seconds: 200).flatMap { $0.pieces.flatMap(\.self) }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let wrong = Double(lines.count { NMEASentence.fields(of: $0) == nil }) / Double(lines.count)
    #expect(abs(wrong - rate) < 0.05)
    let frame = UBXFrame(0x01, 0x61, payload: [1, 2, 3, 4]).bytes
    #expect(UBXFrame(parsing: OutputShaper.corrupted(frame)) == nil)
  }

  @Test("the receiver's clock jumps and returns, and the epochs continue when they are due")
  func timeJump() {
    let times = Self.run(
      [Fault(.timeJump(.seconds(-619_315_200)), start: .seconds(2), duration: .seconds(2))], seconds: 5
    ).compactMap { $0.epoch?.time.milliseconds }
    let expected = (1...5).map { Int64($0 * 1000) + Self.utc.milliseconds - 500 }
    #expect(times.enumerated().map { $1 + ((2...3).contains($0) ? 619_315_200_000 : 0) } == expected)
  }

  @Test("the position jumps away from the truth by the requested distance")
  func jump() throws {
    let epochs = Self.run([Fault(.jump(distance: 500, course: 90), start: .seconds(1))], seconds: 3).compactMap(\.epoch)
    #expect(epochs[0].solution?.motion.coordinate == epochs[0].truth.coordinate)
    let path = epochs[1].truth.coordinate.path(to: try #require(epochs[1].solution).motion.coordinate)
    #expect(abs(path.distance - 500) < 0.01)
    #expect(abs(path.course - 90) < 0.01)
  }

  @Test("a drag-off moves the position away from the truth, by its speed and from its beginning on")
  func dragOff() throws {
    let epochs = Self.run([Fault(.dragOff(speed: 2, course: 90), start: .seconds(2))], seconds: 12).compactMap(\.epoch)
    let distances = try epochs.map {
      $0.truth.coordinate.path(to: try #require($0.solution).motion.coordinate).distance
    }
    #expect(distances[0] == 0 && abs(distances[11] - 19) < 0.01, "\(distances)")
    #expect(epochs.allSatisfy { $0.solution?.motion.speed == $0.truth.speed })
  }

  @Test("a replay is what was true then")
  func replay() throws {
    let fault = Fault(.replay(.seconds(5)), start: .seconds(8), duration: .seconds(2))
    let epochs = Self.run([fault], seconds: 12).compactMap(\.epoch)
    #expect(epochs[8].time == epochs[3].time && epochs[8].solution?.motion.coordinate == epochs[3].truth.coordinate)
    #expect(epochs[11].solution?.motion.coordinate == epochs[11].truth.coordinate)
  }

  @Test("jamming makes all satellites weaker, until too few are left for a fix; meaconing makes them alike")
  func signals() throws {
    func strengths(_ faults: [Fault]) throws -> (strengths: [Double], hasFix: Bool) {
      let epoch = try #require(Self.run(faults, seconds: 1).first?.epoch)
      return (epoch.satellites.compactMap(\.snr), epoch.solution != nil)
    }
    let usual = try strengths([])
    let jammed = try strengths([Fault(.jamming(decibels: 12))])
    #expect(zip(usual.strengths, jammed.strengths).allSatisfy { $0 - 12 == $1 } && jammed.hasFix)
    #expect(try strengths([Fault(.jamming(decibels: 40))]).hasFix == false)
    let alike = try strengths([Fault(.meaconing(distance: 500, course: 0))])
    #expect(Set(alike.strengths).count == 1 && alike.hasFix && Set(usual.strengths).count > 5)
  }

  @Test("a receiver that looks at its signals says what attacks them, and of a fault of its own it says nothing")
  func reception() throws {
    func said(_ kind: Fault.Kind) throws -> Reception {
      try #require(Self.run([Fault(kind)], seconds: 2).last?.epoch).reception
    }
    let usual = try said(.split)
    #expect(usual == Reception(spoofing: .clear, jamming: .clear, jammingIndicator: 20, antenna: .connected))
    #expect(try said(.jump(distance: 500, course: 0)) == usual && said(.timeJump(.seconds(60))) == usual)
    #expect(try said(.dragOff(speed: 1, course: 0)).spoofing == .indicated)
    #expect(try said(.replay(.seconds(60))).spoofing == .affirmed)
    #expect(try said(.meaconing(distance: 500, course: 0)).spoofing == .affirmed)
    let jammed = try said(.jamming(decibels: 12))
    #expect(jammed.jamming == .warning && jammed.jammingIndicator == 200 && jammed.spoofing == .clear)
    #expect(try said(.jamming(decibels: 60)).jamming == .critical)
  }

  @Test("faults are injected and lifted, beside the scheduled ones")
  func byHand() {
    var plan = FaultPlan([Fault(.noSky, start: .seconds(5), duration: .seconds(5))])
    #expect(plan.nextChange(after: .zero) == .seconds(5))
    #expect(plan.nextChange(after: .seconds(5)) == .seconds(10))
    #expect(plan.nextChange(after: .seconds(10)) == nil)
    plan.inject(.corrupt(rate: 0.5))
    plan.inject(.corrupt(rate: 0.25))
    #expect(plan.activeFaults(at: .zero).corruptionRate == 0.25)
    plan.inject(.noSky)
    #expect(!plan.activeFaults(at: .zero).hasSky)
    plan.lift(.noSky)
    #expect(plan.activeFaults(at: .zero).hasSky)
    #expect(!plan.activeFaults(at: .seconds(5)).hasSky)
    plan.lift(.corrupt(rate: 0))
    #expect(plan.activeFaults(at: .zero) == ActiveFaults())
  }
}
