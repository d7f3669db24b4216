package import Positioning

/// The kind of solution that the receiver reports.
package enum FixQuality: String, Hashable, Sendable, CaseIterable {
  case gnss, differential
  case rtkFixed = "rtk-fixed"
  case rtkFloat = "rtk-float"
  case deadReckoning = "dead-reckoning"
}

/// The receiver's solution for one epoch.
package struct Solution: Hashable, Sendable {
  /// Including the receiver's error, if it has any.
  package var motion: Motion
  package var quality: FixQuality
  package var dilution: Dilution
  /// Metres, 1 sigma, for receivers that report it.
  package var horizontalAccuracy: Double
  package var verticalAccuracy: Double
  /// Metres per second.
  package var speedAccuracy: Double

  package init(
    motion: Motion, quality: FixQuality, dilution: Dilution, horizontalAccuracy: Double, verticalAccuracy: Double,
    speedAccuracy: Double
  ) {
    self.motion = motion
    self.quality = quality
    self.dilution = dilution
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.speedAccuracy = speedAccuracy
  }
}

/// Dilution of precision.
package struct Dilution: Hashable, Sendable {
  package var horizontal: Double
  package var vertical: Double

  package var position: Double {
    (self.horizontal * self.horizontal + self.vertical * self.vertical).squareRoot()
  }

  package init(horizontal: Double, vertical: Double) {
    self.horizontal = horizontal
    self.vertical = vertical
  }
}

/// One moment of the simulation, before it is encoded.
package struct Epoch: Hashable, Sendable {
  /// The time of the receiver's clock.
  package var time: Timestamp
  /// The true motion of the antenna.
  package var truth: Motion
  /// `nil`: no fix.
  package var solution: Solution?
  package var satellites: [Sky.Satellite]
  /// The direction in which the device points, degrees from true north; `nil` for a receiver without compass.
  package var heading: Double?
  /// Whether this epoch's satellites are sent: receivers send them once a second, whatever the rate of epochs.
  package var includesSky: Bool

  package init(
    time: Timestamp, truth: Motion, solution: Solution?, satellites: [Sky.Satellite] = [], heading: Double? = nil,
    includesSky: Bool = true
  ) {
    self.time = time
    self.truth = truth
    self.solution = solution
    self.satellites = satellites
    self.heading = heading
    self.includesSky = includesSky
  }

  package var satellitesUsed: Int { self.satellites.count { $0.isUsed } }
}
