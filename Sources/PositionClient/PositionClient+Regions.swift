import PositionProtocol
public import Positioning

extension PositionClient {
  /// What happens with regions: they are watched from when it is iterated until the loop is left.
  ///
  /// When the connection is lost they are watched anew as soon as it stands again; what was entered or left meanwhile is
  /// told then, once there is a fix. What must not be missed while the program does not run is for a `DurableName`.
  ///
  /// It throws `.failed` where a region cannot be watched.
  public nonisolated func regionEvents(_ regions: [Region]) -> Updates<RegionUpdate> {
    self.regionEvents(RegionSet(unchecked: regions))
  }

  /// What happens with the regions of a set, which may change while it is iterated.
  public nonisolated func regionEvents(_ regions: RegionSet) -> Updates<RegionUpdate> {
    Updates { () async throws(PositionError) in
      let mailbox = Mailbox<RegionUpdate>(capacity: RegionUpdate.kept) { oldest, next in next.passOver(oldest) }
      return await self.subscribe(into: mailbox) { ticket, wake in
        RegionSubscriber(regions, ticket: ticket, mailbox: mailbox, wake: wake)
      }
    }
  }
}
