extension InspectedMachine {
  /// Where systemd looks for units of the system, and generators write theirs.
  private static let unitFolders = [
    "/etc/systemd/system", "/run/systemd/system", "/run/systemd/transient", "/run/systemd/generator",
    "/run/systemd/generator.early", "/run/systemd/generator.late", "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system", "/lib/systemd/system",
  ]

  /// Whether systemd runs here and has no file for the unit, or for the template that it is an instance of.
  ///
  /// The files are read, and systemd is not asked: it does not know of a new unit before it is reloaded.
  func lacksUnit(_ name: String) -> Bool {
    guard self.exists("/run/systemd/system") else { return false }
    var names = [name]
    if let at = name.firstIndex(of: "@"), let dot = name.lastIndex(of: "."), at < dot {
      names.append(name[...at] + String(name[dot...]))
    }
    return !names.contains { name in Self.unitFolders.contains { self.exists("\($0)/\(name)") } }
  }
}
