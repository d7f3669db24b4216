/// A key whose value is another one than before.
package struct SettingChange: Hashable, Sendable, CustomStringConvertible {
  /// `key in [section]`.
  package let name: String
  package let old: String
  package let new: String
  package let effect: Setting.Effect

  /// `linger in [receiver]: 60s -> 2min`, and whether that has to wait.
  package var description: String {
    let change = "\(name): \(old.isEmpty ? "unset" : old.printable) -> \(new.isEmpty ? "unset" : new.printable)"
    switch effect {
    case .onReload: return change
    case .afterRestart: return "\(change) (after a restart)"
    }
  }
}

/// What rereading the configuration comes to.
package struct SettingsReload: Hashable, Sendable {
  /// What holds from now on: the new values, but the old ones where a restart is needed.
  package let settings: Settings
  /// In the table's order.
  package let changes: [SettingChange]
}

extension Settings {
  /// The keys in which other settings differ from these, in the table's order.
  package func changes(to new: Settings) -> [SettingChange] {
    Self.table.compactMap { setting in
      let change = SettingChange(
        name: setting.name, old: setting.text(in: self), new: setting.text(in: new), effect: setting.effect)
      return change.old == change.new ? nil : change
    }
  }

  /// Takes what can be taken without a restart. `self` is what the daemon runs with.
  package func reloaded(with new: Settings) -> SettingsReload {
    var settings = new
    for setting in Self.table where setting.effect == .afterRestart {
      setting.copy(from: self, into: &settings)
    }
    return SettingsReload(settings: settings, changes: changes(to: new))
  }
}
