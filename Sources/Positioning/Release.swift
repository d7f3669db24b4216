/// The release that was built: the daemon's, the command's and the library's.
package enum Release {
  package static let version = "0.1.0"
}
