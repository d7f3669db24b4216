import JSONRPC
import TestSupport
import Testing

/// One stage for all tests of a suite, with a receiver that stays on and has a fix of the level `house`.
///
/// Its tests run one after the other, so that what one has on the daemon is nothing that another sees.
struct OneStage: SuiteTrait, TestScoping {
  @TaskLocal private static var shared: Stage?

  /// The stage of the suite whose test this is called from.
  static var current: Stage {
    get throws {
      guard let shared else { throw TimedOut("the suite has no stage") }
      return shared
    }
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let stage = try await onOwnThread { try Stage() }
    // What keeps the receiver on and is never told anything.
    let keeper = try await onOwnThread {
      let keeper = try stage.client()
      _ = try keeper.call("position.subscribe", ["onlyBetterThan": 0.001])
      _ = try keeper.call("position.get", ["accuracy": "house"])
      return Keeper(client: keeper)
    }
    try await Self.$shared.withValue(stage, operation: function)
    withExtendedLifetime(keeper) {}
  }

  /// `@unchecked Sendable`: nobody uses the client any more, it only stays connected.
  private final class Keeper: @unchecked Sendable {
    private let client: LineClient

    init(client: LineClient) { self.client = client }
  }
}

extension Trait where Self == OneStage {
  static var oneStage: Self { Self() }
}
