import Glibc

/// How many digits of a place mean something.
///
/// Notations that round, such as degrees, have a last digit worth at most a tenth of the accuracy, so that rounding does
/// not add to the error. Those that name a cell, such as a geohash, name the largest whose middle is not further from its
/// sides than the accuracy.
struct Digits {
  /// Metres of a degree of latitude.
  static let degree = 111_320.0
  /// The accuracy, in metres, whose digits an exact place gets: six decimals of a degree, and squares of a metre.
  private static let exact = 3.1

  /// Metres, greater than 0.
  let accuracy: Double

  init(accuracy: Double?) {
    self.accuracy = accuracy.flatMap { $0.isFinite && $0 > 0 ? max($0, 0.001) : nil } ?? Self.exact
  }

  /// The largest step of a rounded number, in metres.
  private var step: Double { self.accuracy / 10 }

  /// - Parameter unit: Metres of one.
  func decimals(of unit: Double, upTo most: Int) -> Int {
    (0..<most).first { unit / pow(10, Double($0)) <= self.step } ?? most
  }

  /// Whether a number of whole units says enough.
  ///
  /// - Parameter unit: Metres of one.
  func suffices(_ unit: Double) -> Bool { unit <= self.step }

  /// Metres to which a grid's coordinates are rounded: a power of ten. Metres are enough unless the accuracy is better.
  var gridStep: Double {
    if self.accuracy < 1 { return pow(10, log10(self.step).rounded(.down)) }
    return max(1, pow(10, log10(self.step).rounded(.down)))
  }

  /// The number of the first cell that is small enough, or of the last.
  ///
  /// - Parameter cells: From large to small, with their sides in degrees.
  func cell(_ cells: [(count: Int, latitude: Double, longitude: Double)], at latitude: Double) -> Int {
    let meridians = cos(latitude * .pi / 180)
    let found = cells.first { cell in
      max(cell.latitude, cell.longitude * meridians) * Self.degree <= 2 * self.accuracy
    }
    return (found ?? cells[cells.count - 1]).count
  }

  /// How many digits each coordinate of MGRS has: 5 are metres.
  var squares: Int { (0..<5).first { pow(10, Double(5 - $0)) <= 2 * self.accuracy } ?? 5 }
}
