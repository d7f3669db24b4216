/// The one deadline of all waits in tests.
///
/// It is no expectation. It only ends a test that would otherwise wait for ever, so it is as long as a small computer
/// under a heavy load could need. That something occurs in time is shown in virtual time, or by comparing moments that
/// the daemon itself or the kernel reports.
package enum TestDeadline {
  /// For one wait.
  package static let seconds = 120.0
  /// For one wait.
  package static let duration = Duration.seconds(seconds)
  /// For a whole test, which waits more than once, and for its turn before that.
  package static let minutes = 20
}
