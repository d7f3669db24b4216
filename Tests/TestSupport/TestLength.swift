import Glibc

/// How long the tests run random worlds: once in `make test`, and many times as long in `make test-long`.
package enum TestLength {
  /// The value of POSITIOND_TEST_LENGTH.
  private static let factor: UInt64 = {
    guard let text = unsafe getenv("POSITIOND_TEST_LENGTH") else { return 1 }
    guard let factor = UInt64(unsafe String(cString: text)), (1...1000).contains(factor) else {
      fatalError("POSITIOND_TEST_LENGTH is no number from 1 to 1000")
    }
    return factor
  }()

  /// The seeds of so many worlds in the short form.
  package static func seeds(_ count: UInt64) -> ClosedRange<UInt64> { 1...count * self.factor }
}
