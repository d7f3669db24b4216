import EventLoop
import JSONRPC
import PositionProtocol

/// A user that the system knows, by both that a decision belongs to.
struct SystemUser: Hashable {
  let uid: UInt32
  /// As the system names the number: where several names have it, one of them.
  let name: String

  /// - Throws: -32602 where there is no such user, -32603 where the system cannot say.
  init(_ parameter: UserParameter) throws(RPCError) {
    self.uid = try Self.number(of: parameter)
    switch UserName(of: self.uid) {
    case .named(let name): self.name = name
    case .nobody:
      throw .invalidParameter(
        path: "user", found: "\(self.uid), a number without a user",
        expected: "a user of this system, because a decision belongs to the number and the name together")
    case .unknown(let error): throw Self.trouble(error)
    }
  }

  /// The user's number, whether somebody has it or not; a name must be somebody's.
  static func number(of parameter: UserParameter) throws(RPCError) -> UInt32 {
    switch parameter {
    case .number(let uid): return uid
    case .name(let name):
      switch UserNumber(of: name) {
      case .number(let uid): return uid
      case .nobody:
        if let uid = Self.plainNumber(name) { return uid }
        throw .invalidParameter(
          path: "user", found: name.quoted, expected: "the name or the number of a user of this system")
      case .unknown(let error): throw Self.trouble(error)
      }
    }
  }

  /// Digits alone.
  private static func plainNumber(_ text: String) -> UInt32? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt32(text) : nil
  }

  private static func trouble(_ error: SystemError) -> RPCError {
    .trouble("the system cannot say who that is: \(error)", remedy: "try again, or see what \"getent passwd\" says")
  }
}
