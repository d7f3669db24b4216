package import ConfigurationTables
package import History
package import Positioning

/// Everything that the recorder's configuration decides. The defaults are here and nowhere else.
package struct RecorderSettings: Hashable, Sendable, ConfigurationRoot {
  package var record = Recording()
  package var keep = KeepingLimits()
  package var socket: String?
  package var durable = "history"
  package var logLevel = LogLevel.info
  package var regions: [ConfiguredRegion] = []

  package static let defaults = RecorderSettings()

  package init() {}

  package var parts: [ConfiguredRegion] {
    get { self.regions }
    set { self.regions = newValue }
  }

  /// Which fixes are recorded.
  package struct Recording: Hashable, Sendable {
    package var mode = Mode.passive
    /// `nil`: a second, or five minutes with `significant`.
    package var interval: Duration?
    /// Metres; `nil`: none, or 500 with `significant`.
    package var distance: Double?
    package var batch = Duration.seconds(60)
    package var accuracy = AccuracyLevel.house

    package enum Mode: String, Hashable, Sendable, CaseIterable {
      case passive, significant, deferred
    }
  }
}

extension RecorderSettings {
  /// In the user's folder for configuration.
  package static let fileName = "positiond-history.conf"

  /// `$XDG_CONFIG_HOME/positiond-history.conf`, else `~/.config/positiond-history.conf`; `nil`: there is no home.
  package static func usualPath(_ environment: [String: String]) -> String? {
    // The specification ignores relative paths.
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/\(self.fileName)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/\(self.fileName)"
  }

  private typealias Key = ConfigurationKey<RecorderSettings>

  /// The keys in the order of the sample and the documentation. All take effect after a restart.
  package static let table: [ConfigurationKey<RecorderSettings>] = recordTable + keepTable + positionTable

  private static let recordTable: [Key] = [
    Key(
      "record", "mode", \.record.mode, .choice(),
      "passive: what other programs need, and the receiver is never on for it; significant: a fix after distance= and "
        + "interval=, and the receiver sleeps in between; deferred: the receiver stays on, and fixes come in batches",
      effect: .afterRestart),
    Key(
      "record", "interval", \.record.interval, .orUnset(.duration(.seconds(1) ... .seconds(86_400))),
      "The least time between two fixes; empty: 1s, or 5min with mode=significant", effect: .afterRestart),
    Key(
      "record", "distance", \.record.distance, .orUnset(.decimal(1...1_000_000, unit: "metres")),
      "Metres between two fixes; empty: any, or 500 with mode=significant", effect: .afterRestart),
    Key(
      "record", "batch", \.record.batch, .duration(.seconds(1) ... .seconds(86_400)),
      "For mode=deferred: how long fixes are collected before they are recorded", effect: .afterRestart),
    Key(
      "record", "accuracy", \.record.accuracy, .choice(),
      "The accuracy that is requested of the receiver; passive requests nothing", effect: .afterRestart),
  ]

  private static let keepTable: [Key] = [
    Key(
      "keep", "whole-days", \.keep.wholeDays, .count(0...36_500),
      "Days of which every fix is kept; of older ones it is one a minute", effect: .afterRestart),
    Key(
      "keep", "minute-days", \.keep.minuteDays, .count(0...36_500),
      "Days after which only stays and ways are kept, these as finely as the fixes were accurate",
      effect: .afterRestart),
    Key(
      "keep", "days", \.keep.days, .count(1...36_500), "Days after which everything is deleted", effect: .afterRestart),
    Key(
      "keep", "size", \.keep.bytes, .size((1 << 20)...(1 << 40)),
      "Bytes of the file; beyond it the oldest days are deleted", effect: .afterRestart),
    Key(
      "keep", "reserve", \.keep.reserve, .size(0...(1 << 40)),
      "Bytes that stay free in the file system; with fewer nothing is recorded", effect: .afterRestart),
  ]

  private static let positionTable: [Key] = [
    Key(
      "position", "socket", \.socket, .orUnset(.socketPath), "positiond's socket; empty: the installed one",
      effect: .afterRestart),
    Key(
      "position", "durable", \.durable, .text("a name of 1 to 64 bytes", longest: 64) { !$0.isEmpty },
      "The durable name under which visits and regions wait while the recorder does not run", effect: .afterRestart),
    Key(
      "log", "level", \.logLevel, .choice(), "The least severe messages to log", effect: .afterRestart),
  ]

  /// What is followed while the recorder runs; `nil`: positions come under the durable name.
  var stream: SubscriptionChange? {
    guard self.record.mode == .passive else { return nil }
    var change = SubscriptionChange()
    change.mode = .passive
    change.minInterval = self.record.interval ?? .seconds(1)
    change.minDistance = self.record.distance ?? 0
    return change
  }

  /// What is registered under the durable name; `nil`: no positions.
  var position: SubscriptionChange? {
    var change = SubscriptionChange()
    change.accuracy = .level(self.record.accuracy)
    switch self.record.mode {
    case .passive: return nil
    case .significant:
      change.mode = .significant
      change.significantDistance = self.record.distance ?? 500
      change.significantInterval = self.record.interval ?? .seconds(300)
    case .deferred:
      change.mode = .deferred
      change.minDistance = self.record.distance ?? 0
      change.minInterval = self.record.interval ?? .seconds(1)
      change.deferredTimeout = self.record.batch
    }
    return change
  }

  /// A longer time between two fixes ends a segment; `nil`: none does, because fixes come only after a change.
  var longestStep: Duration? {
    guard self.record.mode != .significant, self.record.distance == nil else { return nil }
    return max(.seconds(30), (self.record.interval ?? .seconds(1)) * 5)
  }
}
