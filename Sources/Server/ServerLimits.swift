package import Positioning

/// What clients may take of the server. Exceeding each has a defined outcome.
package struct ServerLimits: Hashable, Sendable {
  /// Connections of all users and of one. A further client gets one error and is closed.
  package var maxClients = 1024
  package var maxClientsPerUser = 256
  /// Bytes of one JSON text. A longer one gets an error, then the connection closes.
  package var maxFrame = 64 * 1024
  /// Bytes that wait for a client, and for all clients of one user. Beyond that superseded fixes are dropped, then the
  /// connection ends.
  package var maxOutbound = 256 * 1024
  package var maxOutboundPerUser = 8 * 1024 * 1024

  /// Calls of one client that may be unanswered in addition to its waiting requests: they wait for the disk or an
  /// account lookup. Beyond that nothing is read from the client until one is answered.
  package static let unansweredBesides = 64

  /// Places in addition to `maxClients`, for root and administrators only.
  package static let keptPlaces = 16
  /// How long a client without a grant must have idled before it makes room for another one without.
  package static let idleTime: Duration = .seconds(10)
  /// Clients that may wait for the lookup of their user while all places are taken.
  package static let maxAwaitingAdmission = 64
  /// Clients of one user that may wait for that.
  package static let maxAwaitingAdmissionOfUser = 16

  /// Each kind of mistake of clients is logged at most every ten seconds.
  static let logRation = LogRation(interval: .seconds(10))

  /// The least integrity of the fixes that clients of other protocols are given, which cannot ask for another: to them a
  /// lesser one is no fix.
  package var nmeaIntegrity = IntegrityDemand.suspect
  package var gpsdIntegrity = IntegrityDemand.suspect

  /// Bytes of an answer that can be shortened, so that it fits into the queue.
  package var maxReply: Int { self.maxOutbound / 4 }

  /// How long a client that reads nothing has to take the notice that it is being closed.
  package var drainTime: Duration = .seconds(5)

  package init() {}
}
