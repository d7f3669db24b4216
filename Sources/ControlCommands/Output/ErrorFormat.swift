import JSONRPC
import PositionClient

/// Errors as people read them.
enum ErrorFormat {
  /// What went wrong; of a parameter, its name and what the daemon expected.
  static func line(_ error: PositionError) -> String {
    guard let rpc = error.rpcError, rpc.code == .invalidParams, case .string(let path)? = rpc.data?["path"],
      case .string(let expected)? = rpc.data?["expected"]
    else { return "\(error)" }
    guard case .string(let found)? = rpc.data?["found"], found != self.unnamed else {
      return "invalid \(path): expected \(expected)"
    }
    return "invalid \(path): \(found), expected \(expected)"
  }

  /// What the daemon says it found where it names no value.
  static let unnamed = "a value that does not fit"
}
