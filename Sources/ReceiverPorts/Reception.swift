package import Positioning

/// What a receiver itself says of its reception, apart from its fixes. The numbers of the states are u-blox's; 0, and any other, is
/// "unknown".
package struct Reception: Hashable, Sendable {
  /// Whether its signals are those of satellites.
  package enum Spoofing: UInt8, Hashable, Sendable, CaseIterable {
    case clear = 1
    /// Something indicates that they are not.
    case indicated = 2
    /// Several things do.
    case affirmed = 3
  }

  /// Whether something disturbs them.
  package enum Jamming: UInt8, Hashable, Sendable, CaseIterable {
    case clear = 1
    /// There is a disturbance, and a fix.
    case warning = 2
    /// There is a disturbance, and no fix.
    case critical = 3
  }

  package enum Antenna: UInt8, Hashable, Sendable, CaseIterable {
    case connected = 2
    case short = 3
    case open = 4
  }

  /// `nil`: it does not say.
  package var spoofing: Spoofing?
  /// `nil`: it does not say.
  package var jamming: Jamming?
  /// How strong a continuous wave is that disturbs it, from 0 to 255; `nil`: it does not say.
  package var jammingIndicator: Int?
  /// `nil`: it does not say.
  package var antenna: Antenna?

  package init(
    spoofing: Spoofing? = nil, jamming: Jamming? = nil, jammingIndicator: Int? = nil, antenna: Antenna? = nil
  ) {
    self.spoofing = spoofing
    self.jamming = jamming
    self.jammingIndicator = jammingIndicator
    self.antenna = antenna
  }
}

/// A message of a receiver about its reception. Each kind of message says only a part of it.
package struct ReceptionReport: Hashable, Sendable {
  package var device: String?
  package var reception: Reception
  package var arrival: Instant

  package init(device: String? = nil, reception: Reception, arrival: Instant) {
    self.device = device
    self.reception = reception
    self.arrival = arrival
  }
}
