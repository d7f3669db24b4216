import JSONRPC
import PositionClient

/// The text form of errors.
enum ErrorFormat {
  /// The error; for a parameter, its name and what the daemon expected.
  static func line(_ error: PositionError) -> String {
    guard let rpc = error.rpcError, rpc.code == .invalidParams, case .string(let path)? = rpc.data?["path"],
      case .string(let expected)? = rpc.data?["expected"]
    else { return "\(error)" }
    guard case .string(let found)? = rpc.data?["found"], found != self.unnamed else {
      return "invalid \(path): expected \(expected)"
    }
    return "invalid \(path): \(found), expected \(expected)"
  }

  /// The daemon's text for a found value that it does not name.
  static let unnamed = "a value that does not fit"
}
