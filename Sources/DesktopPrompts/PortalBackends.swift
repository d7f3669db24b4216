/// Which of the programs on the bus are asked for an Access dialog, and in which order.
///
/// The desktop's own backend comes first, then GTK's, which xdg-desktop-portal takes where a desktop has none. Others
/// are asked if they run, but not started: one that is installed for another desktop would start to no purpose. One
/// without the interface answers with an error, and the next is asked.
enum PortalBackends {
  static let prefix = "org.freedesktop.impl.portal.desktop."

  /// - Parameters:
  ///   - running: The names on the bus.
  ///   - startable: The names that the bus can start.
  ///   - desktops: As in `XDG_CURRENT_DESKTOP`, the most specific first.
  static func ordered(running: [String], startable: [String], desktops: [String]) -> [String] {
    let known = Set(running + startable)
    let preferred = (desktops.map { $0.lowercased() } + ["gtk"]).map { self.prefix + $0 }.filter { known.contains($0) }
    let others = running.filter { $0.hasPrefix(self.prefix) }.sorted()
    return (preferred + others).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
