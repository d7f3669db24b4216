import JSONRPC
import TestSupport
import Testing

/// One fixture for all tests of a suite, with a receiver that stays on and has a fix of the level `house`. Who runs the
/// tests is the daemon's administrator.
///
/// Its tests run one after the other, so that none sees what another has on the daemon.
struct SharedFixture: SuiteTrait, TestScoping {
  @TaskLocal private static var shared: IntegrationFixture?

  /// The fixture of the suite whose test this is called from.
  static var current: IntegrationFixture {
    get throws {
      guard let shared else { throw TimedOut("the suite has no fixture") }
      return shared
    }
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let fixture = try await onOwnThread {
      try IntegrationFixture(IntegrationFixture.Settings(configuration: try OtherUser.administratorRule()))
    }
    // A client that keeps the receiver on and never receives an update.
    let keeper = try await onOwnThread {
      let keeper = try fixture.client()
      _ = try keeper.call("position.subscribe", ["onlyBetterThan": 0.001])
      _ = try keeper.call("position.get", ["accuracy": "house"])
      return Keeper(client: keeper)
    }
    try await Self.$shared.withValue(fixture, operation: function)
    withExtendedLifetime(keeper) {}
  }

  /// `@unchecked Sendable`: the client is not used any more, it only stays connected.
  private final class Keeper: @unchecked Sendable {
    private let client: LineClient

    init(client: LineClient) { self.client = client }
  }
}

extension Trait where Self == SharedFixture {
  static var sharedFixture: Self { Self() }
}
