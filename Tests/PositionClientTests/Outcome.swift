extension Task where Failure == any Error {
  /// Its value. It is cancelled with the task that waits for it, so that a test's time limit ends both.
  var outcome: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await self.value
      } onCancel: {
        self.cancel()
      }
    }
  }
}
