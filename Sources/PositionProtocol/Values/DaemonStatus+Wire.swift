public import JSONRPC
public import Positioning

extension DaemonStatus: WireObject {
  public static let wire = ObjectCodec<DaemonStatus>(
    "Status",
    blank: DaemonStatus(
      version: "", began: .boot, receiver: Receiver.wire.blank, power: Power.wire.blank, gpsd: Gpsd.wire.blank,
      reports: Reports.wire.blank, clients: 0, requests: 0, subscriptions: 0)
  ) {
    Field.required("version", \.version, .string, example: "0.1.0", "The daemon's version.")
    Field.age(\.began, named: "uptime", example: 86400, "Seconds since it started.")
    Field.required("receiver", \.receiver, Receiver.codec, example: Receiver.example, "The receiver.")
    Field.required("power", \.power, Power.codec, example: Power.example, "Its power.")
    Field.required("gpsd", \.gpsd, Gpsd.codec, example: Gpsd.example, "The connection to gpsd.")
    Field.optional(
      "demand", \.demand, Demands.codec, example: Demands.example,
      "Why the receiver is on; absent if nobody needs it.")
    Field.defaulted(
      "inUse", \.inUse, .array(of: InUse.codec), namesDefault: false, example: [InUse.example],
      "The users whose programs get positions, as far as the client may know; at most 64.")
    Field.required(
      "reports", \.reports, Reports.codec, example: Reports.example,
      "The receiver's reports by result.")
    Field.optional("lastFix", \.lastFix, LastFix.codec, example: LastFix.example, "The newest fix.")
    Field.optional(
      "lastError", \.lastError, LastError.codec, example: LastError.example,
      "The last error; absent once the part that failed works again.")
    Field.required("clients", \.clients, .integer(minimum: 0), example: 3, "Connections.")
    Field.required("requests", \.requests, .integer(minimum: 0), example: 1, "Requests in flight.")
    Field.required("subscriptions", \.subscriptions, .integer(minimum: 0), example: 2, "Subscriptions.")
  }
}

extension DaemonStatus.LastError: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.LastError>(blank: DaemonStatus.LastError(message: "", at: .boot)) {
    Field.optional(
      "part", \.part, .word(fallback: .receiver), example: "receiver", "What failed; absent from older daemons.")
    Field.required("message", \.message, .string, example: "gpsd closed the connection", "In words.")
    Field.required("time", \.at, .wallClock, example: "2026-01-31T12:00:00.000Z", "When.")
  }
}

extension DaemonStatus.InUse: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.InUse>(
    blank: DaemonStatus.InUse(uid: 0, programs: [], since: .boot)
  ) {
    Field.required("uid", \.uid, .integer(minimum: 0), example: 1000, "The user's number.")
    Field.optional("user", \.user, .string, example: "ada", "The user's name, if the system has one.")
    Field.optional("unit", \.unit, .string, example: "tracker.service", "The systemd unit, if it is certain.")
    Field.required(
      "programs", \.programs, .array(of: .string), example: ["tracker"],
      "The programs' own names for themselves, each once.")
    Field.required("since", \.since, .wallClock, example: "2026-01-31T12:00:00.000Z", "Since when.")
  }
}
