import Positioning

/// A line of gpsd about a position.
struct PositionLine {
  var device: String
  /// In gpsd's form.
  var time: String
  var place: Track.Place
  /// Metres; `nil`: the receiver does not say.
  var accuracy: Double?
  var hasAltitude = true
  var isSimulated = false
  var speed = 0.0
  var course = 0.0
  /// Further members, each with a comma.
  var members = ""

  /// Degrees, as far as gpsd writes them.
  var degrees: (latitude: Double, longitude: Double) {
    let (latitude, longitude) = Track.degrees(of: self.place)
    return (Self.rounded(latitude, 1e9), Self.rounded(longitude, 1e9))
  }

  var text: String {
    let (latitude, longitude) = self.degrees
    let altitude = self.hasAltitude ? #""altHAE":520.0,"altMSL":473.0,"# : ""
    let errors =
      self.accuracy.map { #""epx":\#($0),"epy":\#($0),"epv":\#($0 * 2),"eph":\#($0),"# } ?? ""
    return #"{"class":"TPV","device":"\#(self.device)",\#(self.isSimulated ? #""status":8,"# : "")"#
      + #""mode":3,"time":"\#(self.time)",\#(self.members)"#
      + #""lat":\#(latitude),"lon":\#(longitude),\#(altitude)\#(errors)"#
      + #""track":\#(Self.rounded(self.course)),"speed":\#(Self.rounded(self.speed)),"eps":0.2}"#
  }

  static func rounded(_ value: Double, _ scale: Double = 1000) -> Double { (value * scale).rounded() / scale }
}

extension Speech {
  /// What gpsd makes of an epoch: each line with how long after the first it comes.
  ///
  /// - Parameter time: The time in gpsd's form so much later than that of the epoch.
  func lines(of whole: PositionLine, time: (Duration) -> String) -> [(after: Duration, line: PositionLine)] {
    var first = whole
    switch self.epochs {
    case .whole: return [(.zero, whole)]
    case .divided:
      first.hasAltitude = false
      return whole.hasAltitude ? [(.zero, first), (.milliseconds(60), whole)] : [(.zero, first)]
    case .twoTimes:
      var second = whole
      second.time = time(.milliseconds(150))
      return [(.zero, first), (.milliseconds(50), second)]
    }
  }

  /// Satellites, and when they are reported after the epoch.
  func skyLines(of device: String, time: String) -> [(after: Duration, text: String)] {
    guard let skies else { return [] }
    let (whole, part) = (self.sky(Self.satellites, of: device, time), self.sky(Self.satellites - 3, of: device, time))
    switch skies {
    case .partThenWhole: return [(.milliseconds(80), part), (.milliseconds(120), whole)]
    case .wholeThenPart: return [(.milliseconds(80), whole), (.milliseconds(120), part)]
    }
  }

  /// How many satellites there are.
  static let satellites = 10

  private func sky(_ count: Int, of device: String, _ time: String) -> String {
    let satellites = (1...count).map { number in
      #"{"PRN":\#(number),"gnssid":0,"svid":\#(number),"el":\#(Double(number * 8)),"az":\#(Double(number * 31)),"#
        + #""ss":\#(Double(18 + number * 7 % 25)),"used":\#(number < 6)}"#
    }
    let counts = self.release.counts ? #""nSat":\#(count),"uSat":5,"# : ""
    return
      #"{"class":"SKY","device":"\#(device)","time":"\#(time)",\#(counts)"satellites":[\#(satellites.joined(separator: ","))]}"#
  }

  /// A ship, as an AIS receiver reports it.
  static let ship =
    #"{"class":"AIS","device":"/dev/ttyS1","type":1,"repeat":0,"mmsi":211234560,"scaled":true,"status":"0","#
    + #""turn":0,"speed":12.3,"accuracy":true,"lon":11.1,"lat":48.1,"course":51.3,"heading":181,"second":15}"#
}
