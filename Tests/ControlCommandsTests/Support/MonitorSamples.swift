import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import TestSupport

@testable import ControlCommands

/// Models for the tests of the screen.
extension Samples {
  /// A notification of the sample's status, of which all is new.
  static func statusUpdate(_ changes: [String: JSONValue] = [:]) -> JSONValue {
    let all = DaemonStatus.Part.allCases.map { JSONValue.string($0.rawValue) }
    return self.status.with(["subscription": 7, "changed": .array(all)]).with(changes)
  }

  /// Everything works: two programs need the receiver, the device goes around two regions.
  static func model(keepsOn: Bool = false) throws -> MonitorModel {
    var model = MonitorModel(keepsOn: keepsOn)
    var status: DaemonStatus = try self.decoded(self.status, moment: self.moment)
    status.power.current.verifiedBy = "its reports"
    status.power.periods = [
      .init(from: self.at(-40), until: self.at(-31)), .init(from: self.at(-20.5), until: self.at(-20)),
      .init(from: self.at(-4)),
    ]
    model.received(status, at: self.moment)
    self.walk(&model)
    model.received(self.fullSky)
    model.received(self.names(home: .outside), at: self.moment)
    model.received(self.names(home: .inside), at: self.moment)
    return model
  }

  /// So many minutes after the samples' moment.
  static func at(_ minutes: Double) -> Instant { self.moment.now + .bounded(seconds: minutes * 60) }

  /// A walk of 90 fixes to the place of the sample's fix.
  private static func walk(_ model: inout MonitorModel) {
    for step in stride(from: 89, through: 0, by: -1) {
      let bend = Double(step) * 0.00004
      var fix = Fix(
        latitude: 48.137154 - bend, longitude: 11.576124 - bend * (step > 40 ? 2.5 : 0.4), horizontalAccuracy: 3.9,
        altitude: 545, verticalAccuracy: 6.1, speed: 1.2, speedAccuracy: 0.3, course: 271,
        arrival: self.moment.now - .milliseconds(400) - .seconds(step), device: "/dev/ttyACM0", satellitesUsed: 9,
        accuracySource: .standardDeviations)
      fix.integrity = .trusted
      model.received(PositionUpdate(fix: fix, achievedAccuracy: .room, availability: .available), at: self.moment)
    }
  }

  /// Four systems, some satellites of each unused.
  static let fullSky: Sky = {
    let systems: [(Sky.Constellation, Int)] = [(.gps, 9), (.galileo, 6), (.glonass, 5), (.beidou, 4)]
    var satellites: [Sky.Satellite] = []
    for (place, (constellation, count)) in systems.enumerated() {
      for number in 1...count {
        let elevation = (number * 23 + place * 11) % 88 + 2
        let azimuth = (number * 77 + place * 130) % 360
        satellites.append(
          Sky.Satellite(
            constellation: constellation, svid: number * 3 + place, elevation: Double(elevation),
            azimuth: Double(azimuth), snr: Double(48 - number * 4 - place), isUsed: number * 3 < count * 2))
      }
    }
    return Sky(
      satellites: satellites, hdop: 0.9, vdop: 1.4, pdop: 1.7, arrival: Samples.moment.now - .milliseconds(500))
  }()

  static func names(home: RegionState) -> [DurableInfo] {
    let place = Coordinate(latitude: 48.137154, longitude: 11.576124)
    let corners = [(48.14, 11.57), (48.15, 11.57), (48.15, 11.58)].map { Coordinate(latitude: $0, longitude: $1) }
    return [
      DurableInfo(
        name: "tracker",
        regions: [
          RegionInfo(region: Region(id: "park", shape: .polygon(corners)), state: .outside, since: self.at(-200)),
          RegionInfo(
            region: Region(id: "home", shape: .circle(center: place, radius: 150)), state: home, since: self.at(-3)),
        ])
    ]
  }
}
