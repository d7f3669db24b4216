import Glibc
import Printable

/// The scale bar of a map, of a round length.
struct ScaleBar: Hashable, Sendable {
  /// 1, 2 or 5 times a power of ten.
  let meters: Double
  /// The length on the sheet.
  let length: Double

  /// - Parameters:
  ///   - scale: Units of the sheet for a metre.
  ///   - limit: The longest that it may be on the sheet.
  init(scale: Double, limit: Double) {
    let most = limit / scale
    let power = pow(10, floor(log10(most)))
    self.meters = (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power
    self.length = self.meters * scale
  }

  var label: String {
    switch self.meters {
    case 1000...: "\((self.meters / 1000).fixed(0)) km"
    case 1...: "\(self.meters.fixed(0)) m"
    default: "\((self.meters * 100).fixed(0)) cm"
    }
  }
}
