import Positioning
import Printable

/// Places as two angles.
enum Angles {
  /// `48.137154 N, 11.576124 E`
  static func decimal(_ place: Coordinate, decimals: Int) -> String {
    self.both(place, separator: ", ") { degrees, letter in "\(degrees.fixed(decimals)) \(letter)" }
  }

  /// `48°08.2292′N 11°34.5674′E`
  static func minutes(_ place: Coordinate, decimals: Int) -> String {
    self.both(place, separator: " ") { degrees, letter in
      let (whole, minutes) = self.split(degrees, parts: 60, decimals: decimals)
      return "\(whole)°\(self.padded(minutes, decimals: decimals))′\(letter)"
    }
  }

  /// `48°08′13.75″N 11°34′34.05″E`, without seconds or without minutes if they mean nothing.
  static func seconds(_ place: Coordinate, _ digits: Digits) -> String {
    let second = Digits.degree / 3600
    if digits.suffices(Digits.degree) {
      return self.both(place, separator: " ") { degrees, letter in "\(degrees.fixed(0))°\(letter)" }
    }
    if digits.suffices(second * 60) { return self.minutes(place, decimals: 0) }
    let decimals = digits.decimals(of: second, upTo: 4)
    return self.both(place, separator: " ") { degrees, letter in
      let (whole, rest) = self.split(degrees, parts: 3600, decimals: decimals)
      let minutes = (rest / 60).rounded(.down)
      let seconds = self.padded(rest - minutes * 60, decimals: decimals)
      return "\(whole)°\(self.padded(minutes, decimals: 0))′\(seconds)″\(letter)"
    }
  }

  private static func both(
    _ place: Coordinate, separator: String, _ text: (_ degrees: Double, _ letter: String) -> String
  ) -> String {
    // What rounds to 0 is north and east.
    let north = text(place.latitude.magnitude, place.latitude < 0 ? "S" : "N")
    let east = text(place.longitude.magnitude, place.longitude < 0 ? "W" : "E")
    return self.unsigned(north) + separator + self.unsigned(east)
  }

  /// `0.000000 S` is written `0.000000 N`.
  private static func unsigned(_ text: String) -> String {
    guard !text.contains(where: { ("1"..."9").contains($0) }) else { return text }
    return text.hasSuffix("S") ? text.dropLast() + "N" : text.hasSuffix("W") ? text.dropLast() + "E" : text
  }

  /// Whole degrees, and the rest in minutes or seconds. Rounded before it is split, so that there are never 60 of them.
  private static func split(_ degrees: Double, parts: Int, decimals: Int) -> (whole: Int, rest: Double) {
    let scale = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000][decimals]
    let (whole, rest) = Int((degrees * Double(parts * scale)).rounded()).quotientAndRemainder(
      dividingBy: parts * scale)
    return (whole, Double(rest) / Double(scale))
  }

  /// Two digits before the point.
  private static func padded(_ number: Double, decimals: Int) -> String {
    let text = number.fixed(decimals)
    return number < 9.5 && !text.hasPrefix("10") ? "0\(text)" : text
  }
}
