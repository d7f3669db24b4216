import PositionProtocol

extension PositionClient {
  /// Visits, stays of the device at one place: one update when it has been there for five minutes, and one more when it
  /// has left.
  ///
  /// The receiver is turned on for a look every few minutes, where no fixes flow for others.
  public nonisolated func visits() -> Updates<VisitUpdate> {
    self.sequence(of: VisitSubscribeRequest(), keeping: 1000)
  }
}
