import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// Relays: clients that a rule trusts to say for which user they ask, because they serve programs of many users.
///
/// From its first request on, such a connection is that user's in everything: permission, prompts, limits and turns. So
/// whatever comes after this knows no relays.
extension PositionServer {
  /// Looks up the user, hands the connection over, and continues; or answers why not.
  func relay(
    for uid: UInt32, as call: CallID, for handler: any RequestHandler, on connection: RPCConnection,
    then go: @escaping () -> Void
  ) {
    // A session numbers its requests from 1.
    let isFirst = call.serial == 1
    if let error = self.relayError(of: connection.principal, isFirst: isFirst) {
      return connection.answer(call.serial, .failure(error))
    }
    guard let users else { return connection.answer(call.serial, .failure(.unknownUsers)) }
    // Nothing else is read of it until it is decided for whom it asks.
    connection.handlers[call.serial] = handler
    connection.awaitsUser = true
    users.ask(.client(uid, owners: users.claim(of: uid)?.owners ?? [])) { [weak self] lookup in
      // The client may have left meanwhile.
      guard let self, self.connections[call.client] === connection else { return }
      connection.awaitsUser = false
      do throws(RPCError) {
        let relayed = try Principal(relayedBy: connection.principal, for: uid, lookup)
        try self.hand(connection, to: relayed)
        self.report(.clientDisconnected(call.client))
        self.report(.clientConnected(call.client, relayed))
        go()
      } catch {
        connection.answer(call.serial, .failure(error))
      }
    }
  }

  private func relayError(of principal: Principal, isFirst: Bool) -> RPCError? {
    guard self.access?(principal).isRelay == true else {
      return .restricted(
        "speaking for another user",
        remedy: "an administrator sets relay=yes in the rule for this client in positiond.conf, "
          + "then systemctl reload positiond", rule: nil)
    }
    guard isFirst else {
      return .invalidParameter(
        path: "onBehalfOf", found: "in a later request", expected: "only in the first request of a connection")
    }
    return nil
  }
}

extension Principal {
  /// The user for whom a relay asks.
  ///
  /// To which unit the user's program belongs is unknown, so a rule that denies a unit denies it. A user who cannot be
  /// looked up cannot be spoken for: a rule may deny one of its groups. A subordinate number is its owner's, and one of
  /// root's is nobody's.
  fileprivate init(relayedBy relay: Principal, for uid: UInt32, _ lookup: AccountLookup<Account>) throws(RPCError) {
    switch lookup {
    case .found(let account) where account.number != 0 || uid == 0:
      self.init(
        uid: account.number, gid: account.groups.first, pid: relay.pid, groups: account.groups, user: account.name,
        unit: .unknown, relay: relay.uid, subordinate: account.number == uid ? nil : uid)
    case .found, .absent:
      throw .invalidParameter(path: "onBehalfOf", found: "\(uid)", expected: "the number of a user of this system")
    case .unknown(let error): throw UserResolution.lookupFailed(error)
    }
  }
}
