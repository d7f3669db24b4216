/// What clients may take of the server; each has a defined outcome.
package struct ServerLimits: Hashable, Sendable {
  /// Connections, of all users and of one; past it a client gets one error and is closed.
  package var maxClients = 1024
  package var maxClientsPerUser = 256
  /// Bytes of one JSON text; past it an error, then the connection closes.
  package var maxFrame = 64 * 1024
  /// Bytes that wait for a client, and for all clients of one user; past it superseded fixes go, then the client.
  package var maxOutbound = 256 * 1024
  package var maxOutboundPerUser = 8 * 1024 * 1024

  /// Calls of one client that may be unanswered beside those of its requests that wait: they wait for the disk, or for
  /// what the system says of users. Past it nothing more of the client's is read until one is answered.
  package static let unansweredBesides = 64

  /// Places beside `maxClients` that root and administrators alone may take.
  package static let keptPlaces = 16
  /// How long a client that is granted nothing must have idled before it makes room for another one like it.
  package static let idleTime: Duration = .seconds(10)
  /// Clients at the door that may wait for their user's name while all places are taken.
  package static let maxAtDoor = 64

  /// Bytes of an answer that can be cut where it gets too long, so that it can wait to be taken.
  package var maxReply: Int { self.maxOutbound / 4 }

  /// How long a client that reads nothing has to take the word that it is being closed.
  package var drainTime: Duration = .seconds(5)

  package init() {}
}
