import Broker
import Positioning

/// A cause of long turns: a name, and how to measure it at a size.
struct Load {
  let name: String
  /// The measured sizes, the smallest first.
  var sizes = [10, 1000, 10_000]
  let measure: (Int) -> (longest: Double, total: Double)

  static var all: [Load] { Self.circles + Self.polygons + Self.others }

  /// Around the start, 50 m.
  static func circle(_ number: Int) -> Region {
    Region(id: "\(number)", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 50))
  }

  /// All over the globe, none near another.
  static func farCircle(_ number: Int) -> Region {
    let place = Coordinate(latitude: Double(number % 300) / 2 - 75, longitude: Double(number / 300) / 2 - 170)
    return Region(id: "\(number)", shape: .circle(center: place, radius: 50))
  }

  /// A back with many teeth, some 300 m wide.
  static func comb(_ number: Int, corners: Int = 1000) -> Region {
    let teeth = (0..<corners - 2).map { corner in
      let isOut = corner % 4 == 1 || corner % 4 == 2
      return Coordinate(
        latitude: isOut ? 50.001 : 49.9995, longitude: 7.998 + 0.004 * Double(corner) / Double(corners - 2))
    }
    let back = [Coordinate(latitude: 49.999, longitude: 8.002), Coordinate(latitude: 49.999, longitude: 7.998)]
    return Region(id: "\(number)", shape: .polygon(teeth + back))
  }

  /// So many clients, each of a user of its own, hold so many things together, none more than its share.
  static func spread(
    _ count: Int, share: Int, over bench: inout Bench, _ hold: (inout Bench, ClientID, _ number: Int) -> Void
  ) {
    var left = count
    var uid: UInt32 = 10_000
    while left > 0 {
      uid += 1
      let client = bench.connect(uid: uid)
      for number in 0..<min(left, share) { hold(&bench, client, number) }
      left -= share
    }
  }
}
