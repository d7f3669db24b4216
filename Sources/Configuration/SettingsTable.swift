import Broker
import Gpsd
import Positioning
import Receiver
import Server

/// A key that may be set once.
package typealias Setting = ConfigurationKey<Settings>

extension Settings {
  /// The keys in the order of the installed file and the documentation.
  ///
  /// The bounds exclude only values that cannot work or cannot be meant.
  package static let table: [Setting] = sections.flatMap { $0 }

  private static let sections: [[Setting]] = [
    serverTable, limitsTable, gpsdTable, receiverTable, fixTable, headingTable, timeTable, authorizationTable,
    nmeaTable, gpsdClientsTable, storeTable, logTable,
  ]

  /// systemd does not start a service again that it has started five times within 30 s, so the daemon must run longer than
  /// this each time.
  private static let leastIdleTime: Duration = .seconds(10)

  private static let serverTable: [Setting] = [
    Setting(
      "server", "socket", \.socket.path, .socketPath,
      "The Unix socket for clients; a socket that systemd passes in replaces it", effect: .afterRestart),
    Setting(
      "server", "socket-mode", \.socket.mode, .permissions,
      "Who may connect to the socket; what a client may know is decided separately", effect: .afterRestart),
    Setting(
      "server", "exit-when-idle", \.broker.exitWhenIdle, .orUnset(.duration(leastIdleTime ... .hours(24))),
      "End after so long without any client or registration; the next connection starts it again; empty: never"),
  ]

  private static let limitsTable: [Setting] = [
    Setting(
      "server", "max-clients", \.server.maxClients, .count(1...65536),
      "The most clients at one time; a further one gets an error and is closed"),
    Setting(
      "server", "max-clients-per-user", \.server.maxClientsPerUser, .count(1...65536),
      "The most clients of one user at one time; a further one gets an error and is closed"),
    Setting(
      "server", "max-frame", \.server.maxFrame, .size(4 << 10...16 << 20),
      "The longest message from a client; a longer one gets an error and closes the connection"),
    Setting(
      "server", "max-outbound", \.server.maxOutbound, .size(64 << 10...1 << 30),
      "The most data that waits for a slow client; beyond it older fixes are dropped, then the client is closed"),
    Setting(
      "server", "max-outbound-per-user", \.server.maxOutboundPerUser, .size(64 << 10...4 << 30),
      "The most data that waits for all clients of one user; beyond it the same happens to the client with the most"),
    Setting(
      "server", "max-requests-per-client", \.broker.maxRequestsPerClient, .count(1...65536),
      "The most waiting requests of one client; a further one gets an error"),
    Setting(
      "server", "max-requests-per-user", \.broker.maxRequestsPerUser, .count(1...65536),
      "The most waiting requests of all clients of one user; a further one gets an error"),
    Setting(
      "server", "max-requests", \.broker.maxRequests, .count(1...1_000_000),
      "The most waiting requests of all clients of all users; a further one gets an error"),
    Setting(
      "server", "max-subscriptions-per-client", \.broker.maxSubscriptionsPerClient, .count(1...65536),
      "The most subscriptions of one client; a further one gets an error"),
    Setting(
      "server", "max-subscriptions-per-user", \.broker.maxSubscriptionsPerUser, .count(1...65536),
      "The most subscriptions of all clients of one user; durable subscriptions do not count"),
    Setting(
      "server", "max-subscriptions", \.broker.maxSubscriptions, .count(1...1_000_000),
      "The most subscriptions of all clients of all users; a further one gets an error"),
    Setting(
      "server", "max-status-subscriptions-per-user", \.broker.maxStatusPerUser, .count(1...65536),
      "The most subscriptions of one user to the daemon's status, which need no permission"),
    Setting(
      "server", "max-deferred-per-user", \.broker.maxDeferredPerUser, .count(1...4096),
      "The most subscriptions of one user that collect batches of up to 500 fixes; a further one gets an error"),
    Setting(
      "server", "max-deferred", \.broker.maxDeferred, .count(1...65536),
      "The most subscriptions of all users that collect batches; each takes up to 200 KB of memory"),
    Setting(
      "server", "max-regions-per-user", \.broker.maxRegionsPerUser, .count(1...1_000_000),
      "The most regions of one user, including durable ones; a further one gets an error"),
    Setting(
      "server", "max-regions", \.broker.maxRegions, .count(1...10_000_000),
      "The most regions of all users; each takes about 2 KB of memory"),
    Setting(
      "server", "max-corners-per-user", \.broker.maxCornersPerUser, .count(3...10_000_000),
      "The most corners of all polygons of one user; a polygon that exceeds it gets an error"),
    Setting(
      "server", "max-corners", \.broker.maxCorners, .count(3...100_000_000),
      "The most corners of all polygons of all users; each takes about 30 bytes of memory"),
    Setting(
      "server", "max-durable-names-per-user", \.broker.maxNamesPerUser, .count(1...65536),
      "The most durable names of one user; a further one gets an error"),
    Setting(
      "server", "max-durable-names", \.broker.maxNames, .count(1...65536),
      "The most durable names of all users; each takes up to 1.5 MB of memory while many events wait"),
    Setting(
      "server", "max-inbox-events", \.broker.inbox.events, .count(1...100_000),
      "The most events that wait under one durable name; beyond it the oldest are dropped and counted"),
    Setting(
      "server", "max-request-time", \.broker.maxRequestTime, .duration(.seconds(1) ... .hours(24)),
      "The longest timeout of a request, whatever timeout it asks for"),
  ]

  private static let gpsdTable: [Setting] = [
    Setting(
      "gpsd", "host", \.gpsd.host, .address,
      "The address of gpsd; the installed service can only reach this machine", effect: .afterRestart),
    Setting(
      "gpsd", "port", \.gpsd.port, .count(1...65535),
      "The TCP port of gpsd", effect: .afterRestart),
    Setting(
      "gpsd", "device", \.gpsd.device, .orUnset(.device),
      "The path of the receiver as gpsd knows it; empty: any receiver", effect: .afterRestart),
  ]

  private static let receiverTable: [Setting] = [
    Setting(
      "receiver", "rung", \.power.rung, .choice(),
      "How the receiver is turned off; watch: gpsd closes a device that nobody watches; power.md has the others",
      effect: .afterRestart),
    Setting(
      "receiver", "power-off-unit", \.power.offUnit, .orUnset(.serviceUnit),
      "The system unit that turns the receiver off, for rung=unit", effect: .afterRestart),
    Setting(
      "receiver", "power-on-unit", \.power.onUnit, .orUnset(.serviceUnit),
      "The system unit that turns the receiver on, for rung=unit", effect: .afterRestart),
    Setting(
      "receiver", "power-save", \.power.saving, .choice(),
      "Whether a u-blox saves power while it is on, if what programs ask for allows it; with rung=ublox only",
      effect: .afterRestart),
    Setting(
      "receiver", "assist", \.assist.mode, .choice(),
      "Whether a start after a power cut is given what the receiver knew before; with rung=watch it is not; power.md explains it",
      effect: .afterRestart),
    Setting(
      "receiver", "assist-folder", \.assist.folder, .orUnset(.file),
      "A folder with files of predicted orbits for such starts; empty: none", effect: .afterRestart),
    Setting(
      "receiver", "assist-clock-error", \.assist.clockError, .orUnset(.duration(.milliseconds(1) ... .seconds(10))),
      "How wrong the system clock may be where nothing synchronises it; empty: unknown, and such a start is given nothing",
      effect: .afterRestart),
    Setting(
      "receiver", "linger", \.broker.power.linger, .duration(.zero ... .hours(24)),
      "How long the receiver stays on at most after the last need, in case another follows"),
    Setting(
      "receiver", "min-off-time", \.broker.power.minimumOff, .duration(.zero ... .hours(24)),
      "With rung=watch: released only if not needed for at least this time, since reopening stalls gpsd for seconds"),
    Setting(
      "receiver", "assumed-accuracy", \.broker.fixes.assumedAccuracy, .orUnset(.decimal(0.1...10000, unit: "metres")),
      "The accuracy in metres (68 % radius) for receivers that report none; empty: unknown, which satisfies no request"),
    Setting(
      "receiver", "error-per-hdop", \.broker.fixes.errorPerDilution, .decimal(0.1...100, unit: "metres"),
      "Metres (68 % radius) per unit of HDOP, for receivers that report no error; gpsd.md explains the default"
    ),
    Setting(
      "receiver", "allow-simulated", \.broker.fixes.allowsSimulated, .boolean,
      "Whether to accept fixes that gpsd marks as simulated"),
  ]

  private static let fixTable: [Setting] = [
    Setting(
      "fix", "max-speed", \.broker.fixes.maxSpeed, .decimal(1...10000, unit: "metres per second"),
      "The speed in metres per second above which a move must be confirmed by the following fixes"),
    Setting(
      "fix", "loss-after", \.broker.fixes.lossAfter, .duration(.seconds(1) ... .seconds(600)),
      "How long after the last usable report the fix counts as lost; at least three of the receiver's cycles"),
  ]

  private static let headingTable: [Setting] = [
    Setting(
      "heading", "course-min-speed", \.broker.headings.courseMinSpeed, .decimal(0.1...100, unit: "metres per second"),
      "The speed in metres per second from which the course is used as the heading if no sensor reports one")
  ]

  private static let timeTable: [Setting] = [
    Setting(
      "time", "keep", \.broker.clock.keep, .orUnset(.duration(.milliseconds(1) ... .hours(1))),
      "How wrong this machine's clock may become before the receiver is turned on for chrony; empty: it is not turned on for that"
    ),
    Setting(
      "time", "chrony-port", \.broker.clock.port, .orUnset(.count(1...65535)),
      "The UDP port of the loopback at which chrony is asked how wrong the clock is; empty: it is not asked"),
  ]

  private static let authorizationTable: [Setting] = [
    Setting(
      "authorization", "enabled", \.broker.access.isEnabled, .boolean,
      "The master switch; no: nobody gets a position, not even root"),
    Setting(
      "authorization", "default", \.broker.access.fallback, .choice(),
      "What applies if no rule and no person has decided; ask: an agent asks a person"),
  ]

  private static let nmeaTable: [Setting] = [
    Setting(
      "nmea", "socket", \.doors.nmeaSocket, .orUnset(.socketPath),
      "A Unix socket that gives NMEA 0183 to clients that may know the precise position; empty: none",
      effect: .afterRestart),
    Setting(
      "nmea", "integrity", \.server.nmeaIntegrity, .choice(),
      "The least integrity of its fixes; a lesser one is given as no fix; any: also one that cannot be trusted"),
  ]

  private static let gpsdClientsTable: [Setting] = [
    Setting(
      "gpsd-clients", "port", \.doors.gpsdPort, .orUnset(.count(1...65535)),
      "A TCP port of the loopback for programs that read gpsd; 2947 is where they search; empty: none",
      effect: .afterRestart),
    Setting(
      "gpsd-clients", "socket", \.doors.gpsdSocket, .orUnset(.socketPath),
      "A Unix socket for such programs; empty: none", effect: .afterRestart),
    Setting(
      "gpsd-clients", "integrity", \.server.gpsdIntegrity, .choice(),
      "The least integrity of their fixes; a lesser one is given as no fix; any: also one that cannot be trusted"),
  ]

  private static let storeTable: [Setting] = [
    Setting(
      "store", "path", \.store, .file,
      "The database for everything that outlives a restart; the installed service can only write below /var/lib/positiond",
      effect: .afterRestart)
  ]

  private static let logTable: [Setting] = [
    Setting(
      "log", "level", \.logLevel, .choice(), "The least severe messages to log; only debug shows coordinates")
  ]
}

extension Duration {
  fileprivate static func hours(_ hours: Int) -> Duration { .seconds(hours * 3600) }
}
