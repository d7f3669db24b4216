import Glibc

/// The process's environment.
package enum Environment {
  /// A variable's value; `nil` if it is not set.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
