extension Sandbox {
  package struct Settings: Hashable, Sendable {
    package var source: Source
    /// Whether the receiver is plugged in at first.
    package var isPlugged = true
    /// Further options of gpsd, such as `-b`.
    package var gpsdArguments: [String] = []
    /// The positiond to run.
    package var positiond: String
    /// Further lines of its configuration; of those with the same key the last counts.
    package var configuration: [ConfigurationLine]

    package init(source: Source, positiond: String, configuration: [ConfigurationLine] = []) {
      self.source = source
      self.positiond = positiond
      self.configuration = configuration
    }
  }

  /// What gpsd reads.
  package enum Source: Hashable, Sendable {
    case simulated(Simulation.Settings)
    /// A log in the receiver's place, from the moment that gpsd opens the device.
    case recorded(ReplayLog, ReplayPace)
  }
}
