import NMEA
import Positioning
import Testing
import UBX

@testable import ReceiverSimulator

@Suite("The simulated receiver's state") struct ReceiverModelTests {
  static let stop = UBXFrame(0x06, 0x04, payload: [0, 0, 0x08, 0]).bytes
  static let start = UBXFrame(0x06, 0x04, payload: [0, 0, 0x09, 0]).bytes

  static func at(_ seconds: Double) -> Instant { Instant(sinceBoot: .seconds(seconds)) }

  static func model(
    _ kind: ReceiverKind = .nmea, first: StartClass = .cold, keepsRunning: Bool = false, boot: Duration = .zero
  ) -> ReceiverModel {
    ReceiverModel(
      settings: .init(kind: kind, firstStart: first, keepsRunning: keepsRunning, boot: boot), at: Self.at(0))
  }

  static func isTracking(_ model: inout ReceiverModel, _ seconds: Double) -> Bool {
    if case .tracking = model.activity(at: Self.at(seconds)) { true } else { false }
  }

  @Test(
    "the first fix comes after the time of the first start's class",
    arguments: [(StartClass.ready, 0.0), (.hot, 1), (.warm, 27), (.cold, 30)])
  func firstFix(start: StartClass, seconds: Double) {
    var model = Self.model(first: start)
    #expect(model.activity(at: Self.at(5)) == .off)
    model.deviceOpened(at: Self.at(10))
    if seconds > 0 { #expect(!Self.isTracking(&model, 10 + seconds - 0.001)) }
    #expect(model.activity(at: Self.at(10 + seconds)) == .tracking(.zero))
    #expect(model.activity(at: Self.at(12 + seconds)) == .tracking(.seconds(2)))
  }

  @Test(
    "the class of a later start follows from the time without a fix",
    arguments: [
      (60.0, StartClass.hot), (7199, .hot), (7200, .warm), (14_399, .warm), (14_400, .cold), (1e6, .cold),
    ])
  func laterStarts(offTime: Double, expected: StartClass) {
    var model = Self.model(first: .ready)
    model.deviceOpened(at: Self.at(0))
    model.deviceClosed(at: Self.at(100))
    #expect(model.activity(at: Self.at(101)) == .off)
    #expect(model.nextStart(at: Self.at(100 + offTime)) == expected)
    model.deviceOpened(at: Self.at(100 + offTime))
    let needed = TimeToFirstFix().duration(of: expected).seconds
    #expect(!Self.isTracking(&model, 100 + offTime + needed - 0.5))
    #expect(Self.isTracking(&model, 100 + offTime + needed))
  }

  @Test("an interrupted search leaves no knowledge")
  func searchCutShort() {
    var model = Self.model(first: .cold)
    model.deviceOpened(at: Self.at(0))
    model.deviceClosed(at: Self.at(29))
    model.deviceOpened(at: Self.at(30))
    #expect(model.activity(at: Self.at(45)) == .searching(progress: 0.5))
    #expect(Self.isTracking(&model, 60))
  }

  @Test("the usual USB puck runs whether a program has it open or not")
  func keepsRunning() {
    var model = Self.model(first: .cold, keepsRunning: true)
    #expect(Self.isTracking(&model, 30))
    model.deviceOpened(at: Self.at(40))
    model.deviceClosed(at: Self.at(50))
    #expect(model.activity(at: Self.at(60)) == .tracking(.seconds(30)))
    model.unplugged(at: Self.at(70))
    #expect(model.activity(at: Self.at(71)) == .off)
    model.replugged(at: Self.at(80))
    #expect(Self.isTracking(&model, 81))
  }

  @Test("a receiver is silent while it boots, and searches from then on")
  func boot() {
    var model = Self.model(first: .hot, boot: .seconds(2))
    model.deviceOpened(at: Self.at(0))
    #expect(model.activity(at: Self.at(1.9)) == .starting)
    #expect(model.activity(at: Self.at(2.5)) == .searching(progress: 0.5))
    #expect(Self.isTracking(&model, 3))
  }

  @Test("without sky there is no fix, and the next start has the class of that time")
  func sky() {
    var model = Self.model(first: .cold)
    model.setSky(visible: false, at: Self.at(0))
    model.deviceOpened(at: Self.at(1))
    #expect(model.activity(at: Self.at(1000)) == .searching(progress: 0))
    model.setSky(visible: true, at: Self.at(1000))
    #expect(!Self.isTracking(&model, 1029))
    #expect(Self.isTracking(&model, 1030))
    model.setSky(visible: false, at: Self.at(1040))
    #expect(!Self.isTracking(&model, 1040))
    model.setSky(visible: true, at: Self.at(1050))
    #expect(!Self.isTracking(&model, 1050.9))
    #expect(Self.isTracking(&model, 1051))
  }

  @Test("a u-blox stops and starts by CFG-RST, and acknowledges neither")
  func ubloxStopAndStart() {
    var model = Self.model(.ublox, first: .ready, keepsRunning: true)
    #expect(model.received(Self.stop, at: Self.at(10)) == [])
    #expect(model.activity(at: Self.at(11)) == .stopped(talks: true))
    // Closing and opening the port does not undo it, and neither do gpsd's probes.
    model.deviceClosed(at: Self.at(12))
    model.deviceOpened(at: Self.at(13))
    _ = model.received("$PASHQ,RID*28\r\n%dm".utf8, at: Self.at(14))
    #expect(model.activity(at: Self.at(20)) == .stopped(talks: true))
    #expect(model.received(Self.start, at: Self.at(20)) == [])
    #expect(Self.isTracking(&model, 21))
    _ = model.received(Self.start, at: Self.at(30))
    #expect(model.activity(at: Self.at(30)) == .tracking(.seconds(9)))
  }

  @Test("it keeps a record of when its engine ran, and what turned it on and off")
  func powerLog() {
    var model = Self.model(.ublox, first: .ready)
    #expect(model.powerLog.starts == 0 && model.powerLog.poweredTime(until: Self.at(5)) == .zero)
    model.deviceOpened(at: Self.at(10))
    _ = model.received(Self.start, at: Self.at(11))
    _ = model.received(Self.stop, at: Self.at(30))
    _ = model.received(Self.stop, at: Self.at(31))
    _ = model.received(Self.start, at: Self.at(40))
    model.deviceClosed(at: Self.at(45))
    #expect(model.powerLog.entries.map(\.isOn) == [true, false, true, false])
    #expect(
      model.powerLog.entries.map(\.cause) == [
        .power, .command(.reset(forgotten: 0, mode: 8)), .command(.reset(forgotten: 0, mode: 9)), .power,
      ])
    #expect(model.powerLog.starts == 2 && model.powerLog.poweredTime(until: Self.at(100)) == .seconds(25))
    #expect(model.powerLog.poweredTime(until: Self.at(15)) == .seconds(5))
  }

  @Test("a MediaTek in standby is woken by any byte, and a deaf receiver hears none")
  func wakeUp() {
    var simulation = Simulation(
      settings: .init(receiver: .init(kind: .mtk, firstStart: .ready, keepsRunning: true)), at: Self.at(0),
      utc: Timestamp(milliseconds: 0))
    simulation.inject(.deaf, at: Self.at(1))
    _ = simulation.received(NMEASentence("PMTK161,0").bytes, at: Self.at(2))
    #expect(simulation.powerLog.entries.count == 1)
    simulation.lift(.deaf, at: Self.at(3))
    _ = simulation.received(NMEASentence("PMTK161,0").bytes, at: Self.at(4))
    _ = simulation.received([0x0D], at: Self.at(9))
    #expect(simulation.powerLog.entries.map(\.isOn) == [true, false, true])
    #expect(simulation.powerLog.entries.last?.cause == .wakeUp)
  }

  @Test(
    "a u-blox deletes the data named in CFG-RST",
    arguments: [([0xFF, 0xFF, 2, 0], 30), ([1, 0, 2, 0], 27), ([0, 0, 2, 0], 1)] as [([UInt8], Double)])
  func ubloxForgets(payload: [UInt8], seconds: Double) {
    var model = Self.model(.ublox, first: .ready, keepsRunning: true)
    _ = model.received(UBXFrame(0x06, 0x04, payload: payload).bytes, at: Self.at(10))
    #expect(!Self.isTracking(&model, 10 + seconds - 0.1))
    #expect(Self.isTracking(&model, 10 + seconds))
  }

  @Test("a u-blox reports its version and acknowledges configuration, however the bytes are cut")
  func ubloxAnswers() {
    var model = Self.model(.ublox, keepsRunning: true)
    let bytes =
      [0xB5, 0x00] + UBXFrame(0x0A, 0x04).bytes + Array("noise\r\n".utf8)
      + UBXFrame(0x06, 0x01, payload: [1, 7, 1]).bytes
    var answer: [UInt8] = []
    for byte in bytes { answer += model.received([byte], at: Self.at(1)) }
    #expect(answer == UBXFrame.version.bytes + [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0F, 0x38])
    #expect(model.received(bytes, at: Self.at(1)) == answer)
  }

  @Test("a MediaTek receiver in standby is silent until any byte arrives")
  func mediaTekStandby() {
    var model = Self.model(.mtk, first: .ready, keepsRunning: true)
    let answer = model.received("$PMTK161,0*28\r\n".utf8, at: Self.at(10))
    #expect(String(decoding: answer, as: UTF8.self) == "$PMTK001,161,3*36\r\n")
    #expect(model.activity(at: Self.at(11)) == .stopped(talks: false))
    #expect(model.received("$PMTK225,0*2B\r\n".utf8, at: Self.at(20)) == NMEASentence("PMTK001,225,3").bytes)
    #expect(Self.isTracking(&model, 21))
  }

  @Test("a MediaTek receiver leaves its periodic modes on command, and backup only with a power cycle")
  func mediaTekPeriodic() {
    var model = Self.model(.mtk, first: .ready, keepsRunning: true)
    _ = model.received("$PMTK225,8*23\r\n".utf8, at: Self.at(1))
    _ = model.received("$PMTK605*31\r\n".utf8, at: Self.at(2))
    #expect(model.activity(at: Self.at(3)) == .stopped(talks: false))
    _ = model.received("$PMTK225,0*2B\r\n".utf8, at: Self.at(4))
    #expect(Self.isTracking(&model, 5))
    _ = model.received("$PMTK225,4*2F\r\n".utf8, at: Self.at(6))
    _ = model.received("$PMTK225,0*2B\r\n$PMTK161,0*28\r\nx".utf8, at: Self.at(7))
    #expect(model.activity(at: Self.at(100)) == .stopped(talks: false))
    model.unplugged(at: Self.at(101))
    model.replugged(at: Self.at(102))
    #expect(Self.isTracking(&model, 103))
  }

  @Test("a plain NMEA receiver obeys nothing and answers nothing", arguments: [stop, Array("$PMTK161,0*28\r\n".utf8)])
  func plain(command: [UInt8]) {
    var model = Self.model(.nmea, first: .ready, keepsRunning: true)
    #expect(model.received(command + UBXFrame(0x0A, 0x04).bytes, at: Self.at(1)) == [])
    #expect(Self.isTracking(&model, 2))
  }

  @Test("a command with a wrong checksum is noise", arguments: ["$PMTK161,0*29\r\n", "$PMTK161,0\r\n", "$PMTK161,0*2"])
  func wrongChecksum(command: String) {
    var model = Self.model(.mtk, first: .ready, keepsRunning: true)
    #expect(model.received(command.utf8, at: Self.at(1)) == [])
    #expect(Self.isTracking(&model, 2))
  }

  @Test("whatever the host writes, the receiver survives it")
  func survivesNoise() {
    var random = SeededRandom(seed: 3)
    var model = Self.model(.ublox, first: .ready, keepsRunning: true)
    for step in 0..<2000 {
      var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if step % 3 == 0 { bytes += [0xB5, 0x62] }
      _ = model.received(bytes, at: Self.at(Double(step)))
    }
    // A length whose bytes never arrive delays the scanner for a limited number of bytes.
    _ = model.received([UInt8](repeating: 0, count: 600), at: Self.at(2000))
    #expect(model.received(UBXFrame(0x0A, 0x04).bytes, at: Self.at(2001)) == UBXFrame.version.bytes)
  }
}

@Suite("Sky and errors") struct SkyAndErrorTests {
  static let noon = Timestamp(milliseconds: 1_738_324_800_000)

  @Test("satellites are found one after the other while it searches, and used once it tracks")
  func satellitesRise() {
    func heard(_ activity: ReceiverModel.Activity, hasSky: Bool = true) -> (heard: Int, used: Int) {
      let satellites = SimulatedSky.satellites(
        at: Self.noon, activity: activity, ActiveFaults(hasSky ? [] : [Fault(.noSky)]))
      return (satellites.count { $0.snr != nil }, satellites.count { $0.isUsed })
    }
    let counts = [0.0, 0.3, 0.6, 0.95].map { heard(.searching(progress: $0)) }
    #expect(counts.map(\.heard) == counts.map(\.heard).sorted())
    #expect(counts[0].heard == 0)
    #expect(counts[3].heard > counts[1].heard)
    #expect(counts.allSatisfy { $0.used == 0 })
    #expect(heard(.tracking(.zero)).used >= 10)
    #expect(heard(.tracking(.zero), hasSky: false) == (0, 0))
    #expect(SimulatedSky.satellites(at: Self.noon, activity: .stopped(talks: true)).isEmpty)
  }

  @Test("elevations and azimuths stay in their ranges, all day")
  func angles() {
    for hour in 0..<30 {
      let time = Self.noon + .seconds(hour * 3600)
      for satellite in SimulatedSky.satellites(at: time, activity: .tracking(.zero)) {
        #expect((0...90).contains(satellite.elevation ?? -1))
        #expect((0..<360).contains(satellite.azimuth ?? -1))
        #expect((20...50).contains(satellite.snr ?? -1))
      }
    }
  }

  @Test("the accuracy settles after the fix, and without noise the position is the truth")
  func settles() {
    var model = ErrorModel()
    let truth = Route.usual.motion(at: .zero)
    let solutions = [0, 5, 20, 120].map {
      model.solution(of: truth, quality: .gnss, tracked: .seconds($0), step: .seconds(1))
    }
    #expect(solutions.map(\.dilution.horizontal) == [2.8, 1.87, 0.96, 0.8])
    #expect(solutions.allSatisfy { $0.motion == truth })
    #expect(solutions[3].horizontalAccuracy == 2.0)
    #expect(
      model.solution(of: truth, quality: .rtkFixed, tracked: .seconds(120), step: .zero).horizontalAccuracy < 0.02)
  }

  @Test("noise has the requested size, wanders slowly, and is the same for the same seed")
  func noise() {
    let truth = Motion(coordinate: Coordinate(latitude: 0, longitude: 0))
    func errors(seed: UInt64) -> [Double] {
      var model = ErrorModel(settings: .init(noise: 3, correlation: .seconds(10), seed: seed))
      return (0..<20_000).map { _ in
        let solution = model.solution(of: truth, quality: .gnss, tracked: .seconds(60), step: .seconds(1))
        return solution.motion.coordinate.latitude * 110_574
      }
    }
    let first = errors(seed: 1)
    let deviation = (first.reduce(0) { $0 + $1 * $1 } / Double(first.count)).squareRoot()
    #expect(abs(deviation - 3) < 0.3)
    let steps = zip(first, first.dropFirst()).map { abs($0 - $1) }
    #expect(steps.reduce(0, +) / Double(steps.count) < 1.3)
    #expect(errors(seed: 1) == first)
    #expect(errors(seed: 2) != first)
  }
}
