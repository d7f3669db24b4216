import Positioning
import ReceiverPorts
import ReceiverSimulator
import Testing
import UBX

@testable import Receiver

@Suite("What a receiver is given, and what is taken from it") struct AssistMachineTests {
  private static func warnings(_ run: AssistRun) -> [String] {
    run.log.filter { $0.kind == .assistanceFailed }.map(\.text)
  }

  @Test func `its knowledge is kept after its first fix, and each hour`() throws {
    var run = AssistRun.settled()
    let first = try KeptAssistance(parsing: try #require(run.file))
    #expect(first.frames.count == 12 && first.source == .init(driver: "u-blox", firmware: run.firmware))
    #expect(first.place?.coordinate == AssistRun.place)
    run.pass(.seconds(3400))
    #expect(try KeptAssistance(parsing: #require(run.file)) == first)
    run.pass(.seconds(300))
    let second = try KeptAssistance(parsing: #require(run.file))
    #expect(second.taken - first.taken >= .seconds(3590) && second.frames != first.frames)
    #expect(Self.warnings(run).isEmpty && run.reports.isEmpty == false)
  }

  @Test func `nothing is taken before its orbits can be complete`() {
    var run = AssistRun()
    run.begin()
    run.pass(.seconds(120)) { $0.isFixed }
    run.pass(.seconds(40))
    #expect(run.file == nil)
  }

  @Test func `before it is turned off it is held until its knowledge is kept`() {
    var run = AssistRun.settled()
    run.pass(.seconds(1900))
    run.file = nil
    run.send(.needed(false))
    #expect(run.machine?.isHolding == true && run.releases == 0)
    run.pass(.seconds(3))
    #expect(run.machine?.isHolding == false && run.releases == 1 && run.file != nil)
  }

  @Test func `a gpsd that refused to write is not asked again, and the next one is`() {
    var run = AssistRun.settled()
    run.pass(.seconds(1900))
    run.send(.refused("it opens devices for reading only"))
    run.send(.needed(false))
    #expect(run.machine?.isHolding == false)
    run.send(.needed(true))
    run.send(.source(.gpsdDown(.mute)))
    run.send(.source(.streaming))
    run.pass(.seconds(60))
    run.send(.needed(false))
    #expect(run.machine?.isHolding == true)
  }

  @Test func `one whose knowledge was kept lately is not held`() {
    var run = AssistRun.settled()
    run.send(.needed(false))
    #expect(run.machine?.isHolding == false)
  }

  @Test func `the end of the daemon takes what is ten minutes old`() {
    var run = AssistRun.settled()
    run.send(.ending)
    #expect(run.machine?.isHolding == false)
    var later = AssistRun.settled()
    later.pass(.seconds(700))
    later.file = nil
    later.send(.ending)
    #expect(later.machine?.isHolding == true)
    later.pass(.seconds(3))
    #expect(later.releases == 1 && later.file != nil)
  }

  @Test func `somebody who needs it again ends the holding`() {
    var run = AssistRun.settled()
    run.pass(.seconds(1900))
    run.send(.needed(false))
    run.send(.needed(true))
    #expect(run.machine?.isHolding == false)
    run.pass(.seconds(3))
    #expect(run.releases == 0, "nobody waits any more")
  }

  @Test func `after a power cut it is given time, position and orbits, in this order, once`() throws {
    var run = AssistRun.settled()
    let before = run.written.count
    run.cutPower(.seconds(600), of: .device)
    _ = run.timeToFix()
    run.pass(.seconds(20))
    let frames = run.written[before...].flatMap { UBXFrame.sequence($0).frames }
    let first = try #require(frames.first)
    let time = try #require(UBXTimeAssistance(first))
    #expect(time.error >= .milliseconds(100) && time.error < .seconds(1))
    let position = try #require(UBXPositionAssistance(frames[1]))
    #expect(position.error > 18_000 && position.error < 30_000, "30 m/s for ten minutes")
    #expect(frames.count == 14 && frames[2...].allSatisfy(\.isKnowledge))
    let given = try #require(run.reports.last)
    #expect(given.given == [.time, .position, .orbits] && given.problem == nil)
  }

  @Test func `each write is assistance alone, and as long as gpsd writes`() {
    var run = AssistRun.settled()
    run.folder = [("a.ubx", AssistRun.predictions(days: 10))]
    run.cutPower(.seconds(5 * 86_400), of: .device)
    _ = run.timeToFix()
    for bytes in run.written {
      let (frames, length) = UBXFrame.sequence(bytes)
      #expect(length == bytes.count && bytes.count <= 255)
      #expect(frames.allSatisfy { $0.isAssistance || $0 == .databasePoll })
    }
  }

  @Test func `a receiver that never lost its power is given nothing`() {
    var run = AssistRun.settled()
    run.send(.needed(false))
    run.send(.session(isOn: false))
    let before = run.written.count
    run.skip(.seconds(600))
    run.begin()
    run.pass(.seconds(30))
    #expect(run.written.count == before && run.isFixed)
  }

  @Test func `one that nobody needs is given nothing`() {
    var run = AssistRun.settled()
    run.unplug()
    run.send(.needed(false))
    let before = run.written.count
    run.skip(.seconds(60))
    run.plug()
    run.pass(.seconds(20))
    #expect(run.written.count == before)
  }

  @Test(arguments: [nil, Duration.seconds(11)])
  func `with a clock of which nobody knows that it is right it gets nothing, and status says why`(error: Duration?)
    throws
  {
    var run = AssistRun.settled()
    run.clockError = error
    let before = run.written.count
    run.cutPower(.seconds(600), of: .device)
    run.pass(.seconds(10))
    #expect(run.written.count == before)
    let report = try #require(run.reports.last)
    #expect(report.given.isEmpty && report.problem?.contains("the system clock") == true)
    // Once it is synchronised, what there is is given.
    run.clockError = .milliseconds(20)
    run.pass(.seconds(2))
    #expect(run.written.count > before)
  }

  @Test func `one of an older generation is asked in its way`() throws {
    var settings = Knowledge.Settings()
    settings.generation = .aiding
    var run = AssistRun.settled(settings)
    let kept = try KeptAssistance(parsing: #require(run.file))
    #expect(kept.frames.count == 12 && kept.frames.allSatisfy { $0.messageClass == 0x0B })
    run.cutPower(.seconds(600), of: .device)
    let time = run.timeToFix()
    #expect(time < 8, "\(time)")
    #expect(run.reports.last?.given == [.time, .position, .orbits])
  }

  // MARK: What goes wrong

  /// The time to the fix of the same start without assistance.
  private static func unassisted(_ off: Duration, seed: UInt64 = 1) -> Double {
    var run = AssistRun.settled(isAssisted: false, seed: seed)
    run.cutPower(off, of: .device)
    return run.timeToFix()
  }

  @Test func `one that refuses everything starts as without, and that is said`() throws {
    var settings = Knowledge.Settings()
    (settings.refuses, settings.acknowledges) = (true, true)
    var run = AssistRun.settled(settings)
    run.cutPower(.seconds(600), of: .device)
    let time = run.timeToFix()
    #expect(time <= Self.unassisted(.seconds(600)))
    let report = try #require(run.reports.last)
    #expect(report.problem?.contains("refused") == true, "\(report)")
    #expect(Self.warnings(run).contains { $0.contains("refused") })
  }

  @Test func `rubbish in place of its knowledge is not kept`() {
    var settings = Knowledge.Settings()
    settings.babbles = true
    var run = AssistRun.settled(settings)
    run.pass(.seconds(10))
    #expect(run.file == nil)
    #expect(Self.warnings(run).contains { $0.contains("does not say what it knows") })
    let polls = run.written.count
    run.pass(.seconds(7200))
    #expect(run.written.count == polls, "it is not asked again and again")
  }

  @Test func `one that is unplugged in the middle is given all when it is back`() throws {
    var run = AssistRun.settled()
    run.cutPower(.seconds(600), of: .device)
    let before = run.written.count
    run.pass(.seconds(5)) { $0.written.count > before + 2 }
    run.unplug()
    #expect(try #require(run.reports.last).problem?.contains("went away") == true)
    run.skip(.seconds(30))
    run.plug()
    let time = run.timeToFix()
    #expect(time < 6)
    #expect(run.reports.last?.problem == nil)
  }

  @Test func `one that is unplugged while it is held lets the daemon go on`() {
    var run = AssistRun.settled()
    run.pass(.seconds(1900))
    run.send(.needed(false))
    run.unplug()
    #expect(run.releases == 1 && run.machine?.isHolding == false)
  }

  @Test func `a refusal of gpsd ends it, and is said once`() throws {
    var run = AssistRun()
    run.refusal = "read-only"
    run.begin()
    run.pass(.seconds(180))
    #expect(run.written.count == 1)
    #expect(try #require(run.reports.last).problem?.contains("gpsd does not write to the receiver: read-only") == true)
  }

  @Test(
    "a file that cannot be used is set aside, and the start is as without",
    arguments: ["cut", "damaged", "foreign", "empty", "too long"])
  func badFile(kind: String) throws {
    var run = AssistRun.settled()
    let good = try #require(run.file)
    var bad = good
    switch kind {
    case "cut": bad = Array(good.prefix(good.count / 2))
    case "damaged": bad[good.count - 20] ^= 0x10
    case "foreign": bad = Array("SQLite format 3\u{0}".utf8)
    case "empty": bad = []
    default: bad += [UInt8](repeating: 0, count: 70_000)
    }
    run.file = bad
    run.cutPower(.seconds(600), of: .device)
    let time = run.timeToFix()
    #expect(time <= Self.unassisted(.seconds(600)))
    #expect(run.aside == bad, "it is not lost")
    #expect(try #require(run.reports.last).problem?.contains("the file") == true)
    #expect(!Self.warnings(run).isEmpty)
    // Time is given all the same.
    #expect(run.reports.last?.given.first == .time)
  }

  @Test func `another receiver's knowledge is set aside`() throws {
    var run = AssistRun.settled()
    run.firmware = "SW EXT CORE 4.04"
    let file = run.file
    run.cutPower(.seconds(600), of: .device)
    _ = run.timeToFix()
    #expect(run.aside == file)
    #expect(try #require(run.reports.last).problem?.contains("from another receiver (u-blox SW ROM CORE 3.01") == true)
    #expect(run.reports.last?.given == [.time])
  }

  @Test func `knowledge of 29 days ago is set aside`() throws {
    var run = AssistRun.settled()
    let file = run.file
    run.cutPower(.seconds(29 * 86_400), of: .device)
    let time = run.timeToFix()
    #expect(time <= Self.unassisted(.seconds(29 * 86_400)))
    #expect(run.aside == file)
    #expect(try #require(run.reports.last).problem?.contains("29 days old") == true)
  }

  @Test func `a clock that is behind what was kept gives no orbits and no position`() throws {
    var run = AssistRun.settled()
    run.clockOffset = .seconds(-3 * 3600)
    run.cutPower(.seconds(600), of: .device)
    run.pass(.seconds(5))
    let report = try #require(run.reports.last)
    #expect(report.given == [.time] && report.problem?.contains("has not reached") == true)
    #expect(run.file != nil, "the clock may be wrong, not the file")
  }

  @Test func `a disk that is full is said`() {
    var run = AssistRun()
    run.isDiskFull = true
    run.begin()
    run.pass(.seconds(180))
    #expect(Self.warnings(run).contains("the receiver's knowledge cannot be kept: no room"))
  }

  @Test func `nothing happens with watch, and with off`() {
    var settings = AssistSettings()
    #expect(!settings.applies(to: .watch))
    #expect([PowerRung.ublox, .mtk, .unit].allSatisfy { settings.applies(to: $0) })
    settings.mode = .off
    #expect(PowerRung.allCases.allSatisfy { !settings.applies(to: $0) })
  }
}
