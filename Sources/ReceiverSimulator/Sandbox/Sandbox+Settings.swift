extension Sandbox {
  package struct Settings: Hashable, Sendable {
    package var source: Source
    /// Whether the receiver is plugged in at the start.
    package var isPlugged = true
    /// Further options of gpsd, such as `-b`.
    package var gpsdArguments: [String] = []
    /// The environment of gpsd and positiond.
    package var environment: [String: String] = [:]
    /// The clock of a simulated receiver; `nil`: the loop's.
    package var clock: FastClock?
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

  /// The input of gpsd.
  package enum Source: Hashable, Sendable {
    case simulated(Simulation.Settings)
    /// A replayed log in place of the receiver, from the moment when gpsd opens the device.
    case recorded(ReplayLog, ReplayPace)
  }
}
