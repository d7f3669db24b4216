import PositionProtocol
public import Positioning

extension PositionClient {
  /// Events of regions, which are watched from the start of the iteration until the loop is left.
  ///
  /// After a lost connection the regions are watched again. A border that was crossed meanwhile is reported with the
  /// first fix. A program that must not miss events while it does not run uses a `DurableName`.
  ///
  /// The sequence throws `.failed` if a region cannot be watched.
  public nonisolated func regionEvents(_ regions: [Region]) -> Updates<RegionUpdate> {
    self.regionEvents(RegionSet(unchecked: regions))
  }

  /// Events of the regions of a set, which may change during the iteration.
  public nonisolated func regionEvents(_ regions: RegionSet) -> Updates<RegionUpdate> {
    Updates { () async throws(PositionError) in
      let mailbox = Mailbox<RegionUpdate>(capacity: RegionUpdate.kept) { oldest, next in next.passOver(oldest) }
      return await self.subscribe(into: mailbox) { ticket, wake in
        RegionSubscriber(regions, ticket: ticket, mailbox: mailbox, wake: wake)
      }
    }
  }
}
