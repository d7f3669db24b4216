import Broker

/// A key with a new value.
package struct SettingChange: Hashable, Sendable, CustomStringConvertible {
  /// `key in [section]`.
  package let name: String
  package let old: String
  package let new: String
  package let effect: SettingEffect

  /// `linger in [receiver]: 60s -> 2min`, and whether it takes effect after a restart.
  package var description: String {
    let (old, new) = (self.old.isEmpty ? "unset" : self.old.quotable, self.new.isEmpty ? "unset" : self.new.quotable)
    let change = "\(self.name): \(old) -> \(new)"
    switch self.effect {
    case .onReload: return change
    case .afterRestart: return "\(change) (after a restart)"
    }
  }
}

extension SettingChange {
  /// `nil` if the value is the same.
  fileprivate init?<Subject>(_ key: ConfigurationKey<Subject>, named name: String, from old: Subject, to new: Subject) {
    self.init(name: name, old: key.text(in: old), new: key.text(in: new), effect: key.effect)
    if self.old == self.new { return nil }
  }
}

/// The result of reloading the configuration.
package struct SettingsReload: Hashable, Sendable {
  /// The settings from now on: new values, except those that take effect after a restart.
  package let settings: Settings
  /// In the table's order.
  package let changes: [SettingChange]
}

extension Settings {
  /// The keys with different values in the tables' order, then the rules in theirs.
  package func changes(to new: Settings) -> [SettingChange] {
    Self.table.compactMap { SettingChange($0, named: $0.name, from: self, to: new) } + self.ruleChanges(to: new)
  }

  /// A new or removed rule is compared with an empty one.
  private func ruleChanges(to new: Settings) -> [SettingChange] {
    let names = self.rules.map(\.name)
    let newNames = new.rules.map(\.name)
    var changes: [SettingChange] = []
    for name in names + newNames.filter({ !names.contains($0) }) {
      let old = self.rule(named: name)
      let new = new.rule(named: name)
      changes += AccessRule.table.compactMap {
        SettingChange($0, named: "\($0.key) in [\(AccessRule.section) \(name)]", from: old, to: new)
      }
    }
    let kept = names.filter { newNames.contains($0) }
    let newKept = newNames.filter { names.contains($0) }
    if kept != newKept {
      changes.append(
        SettingChange(
          name: "the order of the rules", old: kept.joined(separator: ", "), new: newKept.joined(separator: ", "),
          effect: .onReload))
    }
    return changes
  }

  private func rule(named name: String) -> AccessRule {
    self.rules.first { $0.name == name } ?? AccessRule(name: name)
  }

  /// Applies what takes effect without a restart. `self` has the settings of the running daemon.
  package func reloaded(with new: Settings) -> SettingsReload {
    var settings = new
    for setting in Self.table where setting.effect == .afterRestart {
      setting.copy(from: self, into: &settings)
    }
    return SettingsReload(settings: settings, changes: self.changes(to: new))
  }
}
