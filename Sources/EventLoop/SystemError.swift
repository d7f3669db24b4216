import Glibc

/// A call into the system that failed.
///
/// It has the attempted operation and the reason, so that one line of the log shows both.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The error's number as errno has it, for example `ECONNREFUSED`.
  package let code: Int32
  /// The attempted call with its object, for example `connect /run/gpsd.sock`.
  package let call: String
  /// Why it failed; the system's message unless we have a better one.
  package let message: String

  package init(code: Int32, call: String, message: String) {
    self.code = code
    self.call = call
    self.message = message
  }

  package init(code: Int32, call: String) {
    self.init(code: code, call: call, message: unsafe String(cString: strerror(code)))
  }

  /// The error of the current errno; create it before another call can change that.
  package static func last(_ call: String) -> SystemError {
    SystemError(code: errno, call: call)
  }

  package var description: String { "\(call): \(message)" }

  /// The result of a call that returns -1 and sets errno when it fails.
  static func check(_ result: Int32, _ call: @autoclosure () -> String) throws(SystemError) -> Int32 {
    let code = errno
    guard result >= 0 else { throw SystemError(code: code, call: call()) }
    return result
  }

  /// The result of a call that returns the negative number of the error, as all of libsystemd does.
  @discardableResult
  package static func checkNegative(_ result: Int32, _ call: @autoclosure () -> String) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(code: -result, call: call()) }
    return result
  }
}
