/// The exit statuses of the services.
package enum ExitCode {
  package static let success: Int32 = 0
  package static let failure: Int32 = 1
  package static let usage: Int32 = 2
  /// EX_NOPERM of sysexits.h: no rule lets the program do what it is for.
  package static let notPermitted: Int32 = 77
  /// EX_CONFIG of sysexits.h, after which the unit file lets systemd not restart.
  package static let configuration: Int32 = 78
}
