/// Where the daemon is reached.
public enum SocketPath {
  /// Where it listens unless its configuration says otherwise.
  public static let standard = "/run/positiond/positiond.sock"
  /// The variable that names another.
  public static let variable = "POSITIOND_SOCKET"

  /// The path that was given, else the one in the environment, else the standard one. An empty one counts as none.
  public static func resolved(_ given: String?, environment: [String: String]) -> String {
    let candidates = [given, environment[SocketPath.variable]]
    return candidates.compactMap { $0 }.first { !$0.isEmpty } ?? SocketPath.standard
  }
}
