import Positioning

/// A position that a door gives, read from its bytes.
struct DoorFix {
  let place: Track.Place
  let time: Timestamp
  /// The radius that holds 95 % of the positions, in metres; `nil`: it does not say.
  let radius: Double?

  /// Of gpsd's reports: a `TPV`, or the newest one of a `POLL`.
  init?(_ report: JSON) {
    let position = report["class"]?.string == "POLL" ? report["tpv"]?.elements.first : report
    guard let position, position["class"]?.string == "TPV", let latitude = position["lat"]?.number,
      let longitude = position["lon"]?.number, let time = position["time"]?.time
    else {
      return nil
    }
    self.place = Track.place(latitude: latitude, longitude: longitude)
    self.time = time
    self.radius = position["eph"]?.number
  }

  /// Of a sentence `RMC`.
  ///
  /// - Parameter deviation: That of the last `GST`, in metres.
  init?(_ fields: [String], deviation: Double?) {
    guard fields.count > 9, fields[0].hasSuffix("RMC"), fields[2] == "A",
      let latitude = Self.degrees(fields[3], digits: 2), let longitude = Self.degrees(fields[5], digits: 3),
      fields[1].utf8.count >= 6, fields[9].utf8.count == 6
    else {
      return nil
    }
    let clock = Array(fields[1])
    let date = Array(fields[9])
    let fraction = fields[1].split(separator: ".").dropFirst().first.map { ($0 + "000").prefix(3) } ?? "000"
    let text =
      "20\(String(date[4...5]))-\(String(date[2...3]))-\(String(date[0...1]))T\(String(clock[0...1])):"
      + "\(String(clock[2...3])):\(String(clock[4...5])).\(fraction)Z"
    guard let time = JSON.string(text).time else { return nil }
    self.place = Track.place(
      latitude: fields[4] == "S" ? -latitude : latitude, longitude: fields[6] == "W" ? -longitude : longitude)
    self.time = time
    self.radius = deviation.map { $0 * 2.448 }
  }

  /// Degrees and minutes.
  private static func degrees(_ field: String, digits: Int) -> Double? {
    guard let degrees = Double(field.prefix(digits)), let minutes = Double(field.dropFirst(digits)) else { return nil }
    return degrees + minutes / 60
  }

  /// The fields of a sentence whose sum is right.
  static func fields(of sentence: String) -> [String]? {
    guard sentence.hasPrefix("$"), let star = sentence.lastIndex(of: "*") else { return nil }
    let body = sentence[sentence.index(after: sentence.startIndex)..<star]
    let sum = body.utf8.reduce(0, ^)
    guard UInt8(sentence[sentence.index(after: star)...], radix: 16) == sum else { return nil }
    return body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}
