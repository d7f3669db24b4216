/// The path of the daemon's socket.
public enum SocketPath {
  /// The daemon's default.
  public static let standard = "/run/positiond/positiond.sock"
  /// The environment variable that names another path.
  public static let variable = "POSITIOND_SOCKET"

  /// The given path, or else the one in the environment, or else the standard one. Empty paths are ignored.
  public static func resolved(_ given: String?, environment: [String: String]) -> String {
    let candidates = [given, environment[SocketPath.variable]]
    return candidates.compactMap { $0 }.first { !$0.isEmpty } ?? SocketPath.standard
  }
}
