import Positioning

/// What gpsd has written of the receivers' epochs to those who watch: what the daemon can know.
package struct ReportedEpochs {
  /// One epoch with a position.
  package struct Epoch: Hashable, Sendable {
    /// When the receiver made it.
    package var moment: Duration
    package var device: String
    package var hasAltitude: Bool
    /// What gpsd gives as `eph`; `nil`: nothing.
    package var accuracy: Double?
    package var isSimulated = false
    /// How many epochs of the device without a gap end with it, one each second; of them those with an altitude.
    package var row = 1
    package var rowWithAltitude = 1
  }

  private struct Key: Hashable {
    let latitude: Int64
    let longitude: Int64

    /// A billionth of a degree is the last digit.
    init(_ latitude: Double, _ longitude: Double) {
      self.latitude = Int64((latitude * 1e9).rounded())
      self.longitude = Int64((longitude * 1e9).rounded())
    }
  }

  private var epochs: [Key: Epoch] = [:]
  private var newest: [String: Epoch] = [:]
  /// When anything of a receiver was written last, by the time that the daemon ran, and by the clock; `nil`: never.
  package private(set) var lastReport: (awake: Duration, at: Duration)?

  /// The newest epoch of a device.
  package func newest(of device: String) -> Epoch? { self.newest[device] }

  /// The epoch of which a fix is; `nil`: nobody has made it.
  package func epoch(of fix: JSON) -> Epoch? {
    guard let latitude = fix["latitude"]?.number, let longitude = fix["longitude"]?.number else { return nil }
    return self.epochs[Key(latitude, longitude)]
  }

  mutating func wrote(at elapsed: Duration, awake: Duration) { self.lastReport = (awake, elapsed) }

  mutating func add(_ epoch: Epoch, _ latitude: Double, _ longitude: Double) {
    var epoch = epoch
    let before = self.newest[epoch.device]
    let follows = before.map { epoch.moment - $0.moment == .seconds(1) } ?? false
    epoch.row = follows ? (before?.row ?? 0) + 1 : 1
    epoch.rowWithAltitude = epoch.hasAltitude ? (follows ? (before?.rowWithAltitude ?? 0) : 0) + 1 : 0
    self.newest[epoch.device] = epoch
    self.epochs[Key(latitude, longitude)] = epoch
  }
}
