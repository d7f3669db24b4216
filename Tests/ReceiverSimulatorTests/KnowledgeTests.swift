import Positioning
import Testing
import UBX

@testable import ReceiverSimulator

@Suite("What the simulated u-blox knows") struct KnowledgeTests {
  private static let truth = Knowledge.Truth(
    time: Timestamp(milliseconds: 1_769_860_800_000), coordinate: Coordinate(latitude: 48, longitude: 11))
  private static let poll = UBXFrame.databasePoll.bytes

  private static func at(_ seconds: Double) -> Instant { .boot + .seconds(seconds) }

  private static func truth(_ seconds: Double) -> Knowledge.Truth {
    Knowledge.Truth(time: Self.truth.time + .seconds(seconds), coordinate: Self.truth.coordinate)
  }

  private static func model(_ change: (inout Knowledge.Settings) -> Void = { _ in }) -> ReceiverModel {
    var settings = ReceiverModel.Settings(kind: .ublox, keepsRunning: true)
    var knowledge = Knowledge.Settings()
    change(&knowledge)
    settings.knowledge = knowledge
    return ReceiverModel(settings: settings, at: .boot)
  }

  /// The time to the first fix of a receiver that is given this at its start after a day without power.
  private static func start(
    _ change: (inout Knowledge.Settings) -> Void = { _ in }, off: Double = 600,
    _ given: (_ database: [UInt8]) -> [UInt8]
  ) -> Double {
    var model = Self.model(change)
    _ = model.activity(at: Self.at(200))
    let database = model.received(Self.poll, at: Self.at(200), truth: Self.truth(200))
    let entries = UBXFrame.sequence(database).frames.filter(\.isKnowledge).flatMap(\.bytes)
    model.unplugged(at: Self.at(200))
    let begin = 200 + off
    model.replugged(at: Self.at(begin))
    _ = model.received(given(entries), at: Self.at(begin), truth: Self.truth(begin))
    for tenth in 0..<1000 {
      if case .tracking = model.activity(at: Self.at(begin + Double(tenth) / 10)) { return Double(tenth) / 10 }
    }
    return .infinity
  }

  private static func time(_ seconds: Double, error: Duration = .milliseconds(100)) -> [UInt8] {
    UBXTimeAssistance(time: Self.truth(seconds).time, error: error).frame.bytes
  }

  private static func position(_ latitude: Double = 48, error: Double = 10_000) -> [UInt8] {
    UBXPositionAssistance(
      coordinate: Coordinate(latitude: latitude, longitude: 11), altitude: 0, error: error
    ).frame.bytes
  }

  @Test func `without power it forgets, and with what it knew it starts sooner`() {
    let cold = Self.start { _ in [] }
    let aided = Self.start { Self.time(800) + Self.position() + $0 }
    let unplaced = Self.start { Self.time(800) + $0 }
    #expect(cold > 15 && aided < 5 && aided < unplaced && unplaced < cold)
  }

  @Test func `orbits without the time are refused, and so are another's`() {
    let cold = Self.start { _ in [] }
    #expect(Self.start { $0 + Self.position() } == cold)
    let foreign = UBXFrame(0x13, 0x80, payload: [UInt8](repeating: 9, count: 88)).bytes
    #expect(Self.start { _ in Self.time(800) + foreign } == cold)
  }

  @Test func `orbits of five hours ago are of no use`() {
    let off = 5.0 * 3600
    #expect(Self.start(off: off) { Self.time(200 + off) + Self.position() + $0 } == Self.start(off: off) { _ in [] })
  }

  @Test func `a time or a position that is farther off than it says makes it worse`() {
    let cold = Self.start { _ in [] }
    #expect(Self.start { Self.time(900) + Self.position() + $0 } > cold)
    #expect(Self.start { Self.time(800) + Self.position(50) + $0 } > cold)
    #expect(Self.start { Self.time(800) + Self.position(50, error: 200_000) + $0 } < cold)
  }

  @Test func `predicted orbits are right on their day`() {
    func orbits(day: UInt8) -> [UInt8] {
      (1...6).flatMap { satellite in
        UBXFrame(0x13, 0x20, payload: [0, 0, satellite, 0, 26, 1, day, 0] + [UInt8](repeating: 1, count: 68)).bytes
      }
    }
    let cold = Self.start(off: 20_000) { _ in [] }
    let right = Self.start(off: 20_000) { _ in Self.time(20_200) + Self.position() + orbits(day: 31) }
    #expect(right < 15 && right < cold)
    #expect(Self.start(off: 20_000) { _ in Self.time(20_200) + Self.position() + orbits(day: 25) } == cold)
  }

  @Test func `it acknowledges only if it is set to`() {
    var quiet = Self.model()
    #expect(quiet.received(Self.time(0), at: Self.at(0), truth: Self.truth).isEmpty)
    var loud = Self.model { $0.acknowledges = true }
    let answer = loud.received(Self.time(0), at: Self.at(0), truth: Self.truth)
    #expect(UBXFrame(parsing: answer).flatMap { UBXAssistanceAnswer($0) }?.isAccepted == true)
    var refusing = Self.model { ($0.acknowledges, $0.refuses) = (true, true) }
    let refusal = refusing.received(Self.time(0), at: Self.at(0), truth: Self.truth)
    #expect(UBXFrame(parsing: refusal).flatMap { UBXAssistanceAnswer($0) }?.isAccepted == false)
  }

  @Test func `its database ends with an answer if it acknowledges`() {
    var model = Self.model { $0.acknowledges = true }
    _ = model.activity(at: Self.at(100))
    let frames = UBXFrame.sequence(model.received(Self.poll, at: Self.at(100), truth: Self.truth(100))).frames
    #expect(frames.count == 13 && frames.dropLast().allSatisfy(\.isKnowledge))
    #expect(frames.last?.payload == [1, 0, 0, 0x80, 12, 0, 0, 0])
  }

  @Test func `a receiver without this simulation takes nothing and answers nothing`() {
    var model = ReceiverModel(settings: .init(kind: .ublox, keepsRunning: true), at: .boot)
    #expect(model.received(Self.poll + Self.time(0), at: Self.at(40), truth: Self.truth(40)).isEmpty)
  }
}
