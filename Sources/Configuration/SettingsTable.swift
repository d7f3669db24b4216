import Broker
import Gpsd
import Server

extension Settings {
  /// The keys in the order of the installed file and the documentation.
  ///
  /// The bounds exclude only values that cannot work or cannot be meant.
  package static let table: [Setting] =
    serverTable + limitsTable + gpsdTable + receiverTable + fixTable + headingTable + authorizationTable + storeTable
    + logTable

  private static let serverTable: [Setting] = [
    Setting(
      "server", "socket", \.socket.path, .socketPath,
      "The Unix socket that clients connect to; a socket passed in by systemd takes its place", effect: .afterRestart),
    Setting(
      "server", "socket-mode", \.socket.mode, .permissions,
      "Who may connect to the socket; what they may have is decided per client", effect: .afterRestart),
  ]

  private static let limitsTable: [Setting] = [
    Setting(
      "server", "max-clients", \.server.maxClients, .count(1...65536),
      "Clients at one time; one more is told so and closed"),
    Setting(
      "server", "max-clients-per-user", \.server.maxClientsPerUser, .count(1...65536),
      "Clients of one user at one time; one more is told so and closed"),
    Setting(
      "server", "max-frame", \.server.maxFrame, .size(4 << 10...16 << 20),
      "The longest message that a client may send; a longer one is refused and its client closed"),
    Setting(
      "server", "max-outbound", \.server.maxOutbound, .size(64 << 10...1 << 30),
      "What may wait for a client that does not read; past it older fixes are dropped, then the client is closed"),
    Setting(
      "server", "max-outbound-per-user", \.server.maxOutboundPerUser, .size(64 << 10...4 << 30),
      "The same for all the clients of one user together"),
    Setting(
      "server", "max-requests-per-client", \.broker.maxRequestsPerClient, .count(1...65536),
      "Requests of one client that may wait at one time; one more is refused"),
    Setting(
      "server", "max-requests-per-user", \.broker.maxRequestsPerUser, .count(1...65536),
      "The same for all the clients of one user together"),
    Setting(
      "server", "max-requests", \.broker.maxRequests, .count(1...1_000_000),
      "The same for all clients of all users together"),
    Setting(
      "server", "max-subscriptions-per-client", \.broker.maxSubscriptionsPerClient, .count(1...65536),
      "Subscriptions that one client may hold; one more is refused"),
    Setting(
      "server", "max-subscriptions-per-user", \.broker.maxSubscriptionsPerUser, .count(1...65536),
      "The same for all the clients of one user together, of all kinds; durable ones do not count"),
    Setting(
      "server", "max-subscriptions", \.broker.maxSubscriptions, .count(1...1_000_000),
      "The same for all clients of all users together"),
    Setting(
      "server", "max-status-subscriptions-per-user", \.broker.maxStatusPerUser, .count(1...65536),
      "How many of them may be to the daemon's own status, which needs no permission; one more is refused"),
    Setting(
      "server", "max-deferred-per-user", \.broker.maxDeferredPerUser, .count(1...4096),
      "Subscriptions of one user that collect batches, each of up to 500 fixes; one more is refused"),
    Setting(
      "server", "max-deferred", \.broker.maxDeferred, .count(1...65536),
      "The same for all users together; each takes up to 200 KB of memory"),
    Setting(
      "server", "max-regions-per-user", \.broker.maxRegionsPerUser, .count(1...1_000_000),
      "Regions of one user, durable ones included; one more is refused"),
    Setting(
      "server", "max-regions", \.broker.maxRegions, .count(1...10_000_000),
      "The same for all users together; each takes about 2 KB of memory"),
    Setting(
      "server", "max-corners-per-user", \.broker.maxCornersPerUser, .count(3...10_000_000),
      "Corners of all polygons among the regions of one user; a polygon that would be too many is refused"),
    Setting(
      "server", "max-corners", \.broker.maxCorners, .count(3...100_000_000),
      "The same for all users together; each takes about 30 bytes of memory"),
    Setting(
      "server", "max-durable-names-per-user", \.broker.maxNamesPerUser, .count(1...65536),
      "Durable names of one user; one more is refused"),
    Setting(
      "server", "max-durable-names", \.broker.maxNames, .count(1...65536),
      "The same for all users together; each takes up to 1.5 MB of memory, while many events wait under it"),
    Setting(
      "server", "max-inbox-events", \.broker.inbox.events, .count(1...100_000),
      "Events that wait under one durable name; past it the oldest are dropped and counted"),
    Setting(
      "server", "max-request-time", \.broker.maxRequestTime, .duration(.seconds(1) ... .hours(24)),
      "How long a request may wait, whatever it asks for; then it times out"),
  ]

  private static let gpsdTable: [Setting] = [
    Setting(
      "gpsd", "host", \.gpsd.host, .address,
      "Where gpsd listens; the installed service may reach this machine only", effect: .afterRestart),
    Setting(
      "gpsd", "port", \.gpsd.port, .count(1...65535),
      "The TCP port on which gpsd listens", effect: .afterRestart),
    Setting(
      "gpsd", "device", \.gpsd.device, .orUnset(.device),
      "The receiver to use, by its path as gpsd knows it; empty: whatever gpsd has", effect: .afterRestart),
  ]

  private static let receiverTable: [Setting] = [
    Setting(
      "receiver", "rung", \.rung, .choice(later: ["ublox", "mtk", "unit"]),
      "How the receiver is turned off: watch leaves it to gpsd, which closes a device that nobody watches"),
    Setting(
      "receiver", "linger", \.broker.linger, .duration(.zero ... .hours(24)),
      "How long the receiver stays on after the last need, in case another comes"),
    Setting(
      "receiver", "min-off-time", \.broker.minimumOff, .duration(.zero ... .hours(24)),
      "The receiver is released only if nobody is due to need it for so long: reopening it stalls gpsd for seconds"),
    Setting(
      "receiver", "assumed-accuracy", \.broker.fixes.assumedAccuracy, .orUnset(.decimal(0.1...10000, unit: "metres")),
      "Metres (68 % radius) for receivers that give no estimate; empty: unknown, which satisfies no demand"),
    Setting(
      "receiver", "error-per-hdop", \.broker.fixes.errorPerDilution, .decimal(0.1...100, unit: "metres"),
      "Metres (68 % radius) per unit of HDOP, for receivers that tell no error of their own; gpsd.md says where 5 is from"
    ),
    Setting(
      "receiver", "allow-simulated", \.broker.fixes.allowsSimulated, .boolean,
      "Whether fixes that gpsd marks as simulated count"),
  ]

  private static let fixTable: [Setting] = [
    Setting(
      "fix", "max-speed", \.broker.fixes.maxSpeed, .decimal(1...10000, unit: "metres per second"),
      "Metres per second, above which a move must be confirmed by the fixes that follow"),
    Setting(
      "fix", "loss-after", \.broker.fixes.lossAfter, .duration(.seconds(1) ... .seconds(600)),
      "How long without a usable report until the fix counts as lost; never under three of the receiver's cycles"),
  ]

  private static let headingTable: [Setting] = [
    Setting(
      "heading", "course-min-speed", \.broker.headings.courseMinSpeed, .decimal(0.1...100, unit: "metres per second"),
      "Metres per second, from which on the course stands in for the heading where no sensor tells one")
  ]

  private static let authorizationTable: [Setting] = [
    Setting(
      "authorization", "enabled", \.broker.access.isEnabled, .boolean,
      "The master switch; no: nobody is told where the device is, root neither"),
    Setting(
      "authorization", "default", \.broker.access.fallback, .choice(),
      "For clients of whom no rule and no person says anything; ask: an agent may let a person decide"),
  ]

  private static let storeTable: [Setting] = [
    Setting(
      "store", "path", \.store, .file,
      "The database of what outlives a restart; the installed service may write below /var/lib/positiond only",
      effect: .afterRestart)
  ]

  private static let logTable: [Setting] = [
    Setting(
      "log", "level", \.logLevel, .choice(), "The least severe messages to log; debug alone shows coordinates")
  ]
}

extension Duration {
  fileprivate static func hours(_ hours: Int) -> Duration { .seconds(hours * 3600) }
}
