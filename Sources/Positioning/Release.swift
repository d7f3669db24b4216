/// The version of the daemon, the command and the library.
package enum Release {
  package static let version = "0.1.0"
}
