/// Distances as people read them.
package enum Distance {
  /// Metres in words of one unit, such as `512 m`, `5.02 km` or `132 km`.
  package static func words(_ meters: Double) -> String {
    switch meters {
    case ..<999.5: "\(meters.fixed(0)) m"
    case ..<9995: "\((meters / 1000).fixed(2)) km"
    case ..<99_950: "\((meters / 1000).fixed(1)) km"
    default: "\((meters / 1000).fixed(0)) km"
    }
  }
}
