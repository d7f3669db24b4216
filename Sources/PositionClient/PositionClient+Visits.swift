import PositionProtocol

extension PositionClient {
  /// Visits, stays of the device at one place: one update after five minutes at the place, and another when the device
  /// has left.
  ///
  /// If nobody else needs fixes, the receiver is turned on for a probe every few minutes.
  public nonisolated func visits() -> Updates<VisitUpdate> {
    self.sequence(of: VisitSubscribeRequest(), keeping: 1000)
  }
}
