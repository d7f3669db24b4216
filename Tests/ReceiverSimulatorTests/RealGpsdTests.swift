import EventLoop
import NMEA
import Positioning
import TestSupport
import Testing

@testable import ReceiverSimulator

/// A receiver with a gpsd that reads it. gpsd takes about six seconds to identify it.
@Suite("Read by a real gpsd", .timeLimit(.minutes(TestDeadline.minutes))) struct RealGpsdTests {
  static func settings(
    _ kind: ReceiverKind, rate: Int, hasCompass: Bool = false, start: StartClass = .ready
  ) -> Simulation.Settings {
    Simulation.Settings(
      route: .circle(centre: Coordinate(latitude: -33.9, longitude: 151.2), radius: 500, speed: 12),
      period: .milliseconds(1000 / rate), receiver: .init(kind: kind, firstStart: start, keepsRunning: true),
      nmea: NMEAEncoder(decimals: 7), hasCompass: hasCompass)
  }

  /// gpsd's report of an epoch, compared with the sent one. The time is compared as the text that gpsd writes.
  static func check(_ report: GpsdReport, against epoch: Epoch, hasRealAccuracy: Bool) throws {
    let solution = try #require(epoch.solution)
    #expect(report.mode == 3)
    #expect(abs(try #require(report.lat) - solution.motion.coordinate.latitude) < 1e-7)
    #expect(abs(try #require(report.lon) - solution.motion.coordinate.longitude) < 1e-7)
    #expect(abs(try #require(report.altMSL) - solution.motion.altitude) < 0.01)
    #expect(abs(try #require(report.speed) - solution.motion.speed) < 0.01)
    #expect(abs(try #require(report.track) - solution.motion.course) < 0.01)
    if hasRealAccuracy { #expect(abs(try #require(report.eph) - solution.horizontalAccuracy) < 0.01) }
  }

  static func timestamp(_ time: Timestamp) -> String {
    let calendar = time.calendar
    func two(_ number: Int) -> String { FixedPoint.padded(number, width: 2) }
    return "\(calendar.year)-\(two(calendar.month))-\(two(calendar.day))T\(two(calendar.hour)):"
      + "\(two(calendar.minute)):\(two(calendar.second)).\(FixedPoint.padded(calendar.millisecond, width: 3))Z"
  }

  @Test(
    "no epoch is lost after the first fix, and each is received as it was sent",
    arguments: [(ReceiverKind.nmea, 1), (.nmea, 10), (.nmea, 25), (.ublox, 1), (.ublox, 10), (.ublox, 25), (.mtk, 5)])
  func everyEpoch(kind: ReceiverKind, rate: Int) async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let receiver = SimulatedReceiver(settings: Self.settings(kind, rate: rate), on: loop)
      try receiver.start()
      let gpsd = try GpsdProcess(devices: [try #require(receiver.path)], folder: folder.path, on: loop)
      let reader = try GpsdReader(port: gpsd.port, on: loop)
      // The last reports of an epoch arrive with the next: three more epochs than are compared.
      let wanted = rate == 1 ? 4 : 2 * rate
      func fixes() -> [GpsdReport] { reader.reports(named: "TPV").filter { $0.mode == 3 && $0.time != nil } }
      try loop.drive(until: "\(wanted) epochs from gpsd") { Set(fixes().map(\.time)).count >= wanted + 3 }

      let sent = Dictionary(grouping: receiver.groundTruth, by: { Self.timestamp($0.epoch.time) })
      let reported = Dictionary(grouping: fixes(), by: { $0.time ?? "" })
      let times = reported.keys.sorted()
      // The epoch during which gpsd began to read may be incomplete.
      let first = try #require(times.dropFirst().first)
      let last = try #require(times.dropLast().last)
      for (time, epochs) in sent where time >= first && time <= last {
        let report = try #require(reported[time]?.last, "epoch \(time) is lost")
        try Self.check(report, against: epochs[0].epoch, hasRealAccuracy: kind == .ublox)
        #expect(epochs[0].delivery == .sent)
      }
      #expect(times.allSatisfy { sent[$0] != nil })

      let driver = reader.reports(named: "DEVICE").compactMap(\.driver).last
      switch kind {
      case .nmea: #expect(driver == "NMEA0183")
      case .ublox: #expect(driver == "u-blox")
      case .mtk: #expect(driver == "MTK-3301")
      }
      // gpsd reports the sky twice in a cycle, the first time without all constellations.
      let skies = reader.reports(named: "SKY").compactMap(\.satellites).filter { !$0.isEmpty }.suffix(2)
      let used = skies.map { sky in sky.count { $0.used } }.max()
      #expect(used == receiver.groundTruth.last?.epoch.satellitesUsed)
      withExtendedLifetime(gpsd) {}
    }
  }

  /// gpsd's reports during several events of one receiver; one gpsd, because its start takes long.
  @Test("heading, faults, unplugging and replugging are visible through gpsd")
  func faults() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let link = folder.file("gps0")
      let receiver = SimulatedReceiver(
        settings: Self.settings(.nmea, rate: 10, hasCompass: true), on: loop, link: link)
      try receiver.start()
      let gpsd = try GpsdProcess(devices: [link], folder: folder.path, on: loop)
      let reader = try GpsdReader(port: gpsd.port, on: loop)
      /// Waits for a report that arrives after this call.
      func expect(_ what: String, _ name: String = "TPV", _ condition: (GpsdReport) throws -> Bool) throws {
        let seen = reader.reports.count
        try loop.drive(until: what) {
          try reader.reports.dropFirst(seen).contains { try $0.name == name && condition($0) }
        }
      }
      try expect("a fix") { $0.mode == 3 && $0.time != nil }
      try expect("the heading", "ATT") { report in
        receiver.groundTruth.contains { abs(($0.epoch.heading ?? 0) - (report.heading ?? -1)) < 0.01 }
      }
      receiver.loseSky()
      try expect("no fix") { $0.mode == 1 }
      try expect("no satellite used", "SKY") { $0.uSat == 0 || $0.satellites?.contains { $0.used } == false }
      receiver.regainSky()
      try expect("the fix after a hot start") { $0.mode == 3 }

      for fault in [Fault.Kind.split, .merge, .garbage(bytes: 64)] {
        receiver.inject(fault)
        let seen = reader.reports.count
        let begin = receiver.groundTruth.count
        try loop.drive(until: "epochs with \(fault.name)") { receiver.groundTruth.count >= begin + 12 }
        receiver.lift(fault)
        try loop.drive(until: "whole epochs after \(fault.name)") { receiver.groundTruth.count >= begin + 16 }
        let last = Self.timestamp(receiver.groundTruth[begin + 15].epoch.time)
        try loop.drive(until: "what comes after \(fault.name)") {
          reader.reports(named: "TPV").contains { $0.time == last }
        }
        let sent = Set(receiver.groundTruth[(begin + 2)..<(begin + 12)].map { Self.timestamp($0.epoch.time) })
        let reported = Set(reader.reports.dropFirst(seen).filter { $0.name == "TPV" }.compactMap(\.time))
        #expect(sent.isSubset(of: reported), "\(fault.name) lost \(sent.subtracting(reported))")
      }

      receiver.inject(.corrupt(rate: 1))
      let begin = receiver.groundTruth.count
      try loop.drive(until: "corrupted epochs") { receiver.groundTruth.count >= begin + 12 }
      receiver.lift(.corrupt(rate: 1))
      try loop.drive(until: "whole epochs again") { receiver.groundTruth.count >= begin + 16 }
      let whole = Self.timestamp(receiver.groundTruth[begin + 15].epoch.time)
      try loop.drive(until: "the report of a whole one") { reader.reports(named: "TPV").contains { $0.time == whole } }
      let corrupted = Set(receiver.groundTruth[(begin + 2)..<(begin + 12)].map { Self.timestamp($0.epoch.time) })
      #expect(corrupted.isDisjoint(with: reader.reports(named: "TPV").compactMap(\.time)))

      receiver.inject(.jump(distance: 5000, course: 0))
      let north = try #require(receiver.groundTruth.last).epoch.truth.coordinate.latitude
      try expect("the position jumped north") { ($0.lat ?? north) > north + 0.03 }
      receiver.lift(.jump(distance: 0, course: 0))
      receiver.inject(.timeJump(.seconds(3600)))
      let ahead = Self.timestamp(try #require(receiver.groundTruth.last).epoch.time + .seconds(3000))
      try expect("the time jumped ahead") { ($0.time ?? "") > ahead }
      receiver.lift(.timeJump(.zero))

      // As udev's rules do it.
      receiver.unplug()
      try gpsd.control("-\(link)")
      try expect("the device is gone", "DEVICE") { $0.path == link }
      receiver.replug()
      try gpsd.control("+\(link)")
      try expect("a fix after the replug") { $0.mode == 3 && $0.time != nil }
    }
  }

  @Test("a u-blox is identified, stopped and started through gpsd")
  func stopAndStart() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let receiver = SimulatedReceiver(settings: Self.settings(.ublox, rate: 5), on: loop)
      try receiver.start()
      let path = try #require(receiver.path)
      let gpsd = try GpsdProcess(devices: [path], folder: folder.path, on: loop)
      let reader = try GpsdReader(port: gpsd.port, on: loop)
      func mode() -> Int? { reader.reports(named: "TPV").last?.mode }
      try loop.drive(until: "a fix") { mode() == 3 }
      // gpsd reports the version only on request, and knows it only once the receiver has answered.
      let ask = try loop.timer(accuracy: .milliseconds(1)) { reader.send("?DEVICES;\n") }
      try loop.drive(until: "its version") {
        if !ask.isArmed { ask.arm(at: loop.now + .milliseconds(200)) }
        return reader.reports(named: "DEVICES").contains {
          $0.devices?.first?.subtype?.contains("ROM CORE 3.01") == true
        }
      }
      // Without the week, gpsd would assume one 1024 weeks ago.
      try loop.drive(until: "the satellites' time") {
        reader.reports(named: "SKY").contains { report in
          receiver.groundTruth.contains { Self.timestamp($0.epoch.time) == report.time }
        }
      }
      reader.send("?DEVICE={\"path\":\"\(path)\",\"hexdata\":\"B56206040400000008001674\"};\n")
      try loop.drive(until: "no fix") { mode() == 1 }
      #expect(receiver.activity() == .stopped(talks: true))
      reader.send("?DEVICE={\"path\":\"\(path)\",\"hexdata\":\"B56206040400000009001776\"};\n")
      try loop.drive(until: "a fix again") { mode() == 3 }
      withExtendedLifetime(gpsd) {}
    }
  }
}
