package import Positioning

extension Fix.Status {
  /// gpsd's number for the kind of solution; JSON omits 0 and 1, so both are plain GNSS.
  package init(gpsd: Int) {
    switch gpsd {
    case 2: self = .dgnss
    case 3: self = .rtkFixed
    case 4: self = .rtkFloat
    case 5: self = .deadReckoning
    case 6: self = .combined
    case 7: self = .surveyed
    case 8: self = .simulated
    default: self = .gnss
    }
  }

  /// gpsd's number; 1, which JSON omits, for plain GNSS.
  package var gpsd: Int {
    switch self {
    case .gnss: 1
    case .dgnss: 2
    case .rtkFixed: 3
    case .rtkFloat: 4
    case .deadReckoning: 5
    case .combined: 6
    case .surveyed: 7
    case .simulated: 8
    }
  }
}
