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
    // Short examples: those of the parts are at their own members, and the document has this object twice.
    Field.required(
      "receiver", \.receiver, Receiver.codec,
      example: ["availability": "available", "device": "/dev/ttyACM0", "since": "2026-01-31T12:00:00.000Z"],
      "The receiver.")
    Field.required(
      "power", \.power, Power.codec,
      example: [
        "dutyCycle": ["day": 0.01, "hour": 0.05], "onSeconds": 321.5, "periods": [], "rung": "watch",
        "since": "2026-01-31T12:00:00.000Z", "starts": ["total": 3], "state": "on", "timeToFirstFix": [:],
      ], "Its power.")
    Field.required(
      "gpsd", \.gpsd, Gpsd.codec, example: ["reconnects": 0, "state": "streaming"], "The connection to gpsd.")
    Field.optional(
      "demand", \.demand, Demands.codec,
      example: ["accuracy": 15, "activity": "automotive", "clients": [], "interval": 1],
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
    Field.optional(
      "clock", \.clock, Clock.codec, example: ["keep": 0.001, "needed": true],
      "Whether this machine's clock is kept right; absent if nothing is known of it.")
    Field.required("clients", \.clients, .integer(minimum: 0), example: 3, "Connections.")
    Field.required("requests", \.requests, .integer(minimum: 0), example: 1, "Requests in flight.")
    Field.required("subscriptions", \.subscriptions, .integer(minimum: 0), example: 2, "Subscriptions.")
    Field.defaulted(
      "denials", \.denials, .integer(minimum: 0), namesDefault: false, example: 4,
      "Calls that were refused for want of permission, since it started.")
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

extension DaemonStatus.Receiver: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Receiver>(
    blank: DaemonStatus.Receiver(availability: .fallback, since: .boot)
  ) {
    Field.optional(
      "device", \.device, .string, example: "/dev/ttyACM0", "The receiver's path; absent if gpsd does not have it.")
    Field.optional("driver", \.driver, .string, example: "u-blox", "The receiver's type according to gpsd.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "available",
      "Why there is or is not a fresh fix.")
    Field.required(
      "since", \.since, .wallClock, example: "2026-01-31T12:00:00.000Z", "Since when.")
    Field.optional(
      "problem", \.problem, ReceiverProblem.codec, example: "late",
      "What is wrong with its reports; absent if nothing is.")
    Field.optional(
      "lag", \.lag, .seconds(.nonNegative), example: 4.5,
      "Seconds by which its positions arrive later than its best ones; absent up to 2 s.")
    Field.optional(
      "integrity", \.integrity, Integrity.codec, example: "suspect",
      "Whether its fixes can be trusted; absent if nothing speaks for or against them.")
    Field.filled(
      "integrityReasons", \.integrityReasons.list, .array(of: IntegrityReason.codec), example: ["speed"],
      "What speaks against them; absent if nothing does.")
  }
}

extension DaemonStatus.Gpsd: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Gpsd>(blank: DaemonStatus.Gpsd(state: .fallback)) {
    Field.required("state", \.state, GpsdState.codec, example: "streaming", "Its state.")
    Field.optional(
      "detail", \.detail, .string, example: "connection refused",
      "Details about the state, if there are any.")
    Field.optional("version", \.version, .string, example: "3.22", "The release of gpsd.")
    Field.optional(
      "address", \.address, .string, example: "127.0.0.1:2947", "Where the daemon expects it.")
    Field.defaulted(
      "reconnects", \.reconnects, .integer(minimum: 0), namesDefault: false, example: 2,
      "How often the daemon has reconnected since it started.")
  }
}

extension DaemonStatus.Reports: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Reports>(
    blank: DaemonStatus.Reports(received: 0, fixes: 0, rejected: [:])
  ) {
    Field.required(
      "received", \.received, .integer(minimum: 0), example: 120,
      "Reports with a position, or without one.")
    Field.required("fixes", \.fixes, .integer(minimum: 0), example: 110, "Reports that became a fix.")
    Field.required(
      "rejected", \.rejected, .dictionary(of: .integer(minimum: 0)), example: ["duplicate": 10],
      "Reports that did not, by reason.")
  }
}

extension DaemonStatus.LastFix: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.LastFix>(blank: DaemonStatus.LastFix(arrival: .boot)) {
    Field.age(\.arrival, example: 0.4, "Seconds since it arrived, and its lag.")
    Field.optional("level", \.level, AccuracyLevel.codec, example: "room", "The finest level that it reaches.")
    Field.optional(
      "accuracySource", \.accuracySource, AccuracySource.codec, example: "dilution",
      "Where its horizontal accuracy comes from; absent if none was reported.")
  }
}

extension DaemonStatus.Power: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Power>(
    blank: DaemonStatus.Power(
      current: PowerState(state: .fallback, since: .boot), onTime: .zero,
      dutyCycle: DaemonStatus.DutyCycle.wire.blank, starts: DaemonStatus.Starts.wire.blank)
  ) {
    Field.required(
      "state", \.current.state, PowerState.State.codec, example: "on", "The receiver's power, as far as it is known.")
    Field.required(
      "rung", \.current.rung, PowerRung.codec, example: "watch",
      "How the receiver is turned off and on; not as configured, where that failed.")
    Field.optional(
      "verifiedBy", \.current.verifiedBy, .string, example: "gpsd's device list",
      "How the state was verified; absent if it was not.")
    Field.optional(
      "problem", \.current.problem, .string, example: "gpsd calls the receiver NMEA0183, not u-blox",
      "What keeps the receiver from being turned off as configured; absent if nothing does.")
    Field.required(
      "since", \.current.since, .wallClock, example: "2026-01-31T12:00:00.000Z", "Since when.")
    Field.required(
      "onSeconds", \.onTime, .seconds(.nonNegative), example: 321.5,
      "Seconds that the receiver was on since the daemon started.")
    Field.required(
      "dutyCycle", \.dutyCycle, DaemonStatus.DutyCycle.codec, example: ["day": 0.01, "hour": 0.05],
      "The share of the time that the receiver was on.")
    Field.required(
      "starts", \.starts, DaemonStatus.Starts.codec, example: ["total": 3], "How often the receiver was started.")
    Field.defaulted(
      "periods", \.periods, .array(of: DaemonStatus.OnPeriod.codec), namesDefault: false,
      example: [DaemonStatus.OnPeriod.example],
      "When the receiver was on last, the oldest first; at most 32 times.")
    Field.optional(
      "nextStart", \.nextStart, DaemonStatus.NextStart.codec, example: DaemonStatus.NextStart.example,
      "When the receiver is turned on next; absent if nothing is due.")
    Field.defaulted(
      "timeToFirstFix", \.timeToFirstFix, DaemonStatus.StartTimes.codec, namesDefault: false,
      example: DaemonStatus.StartTimes.example,
      "How long its starts take, by how long it was off before.")
    Field.optional(
      "assist", \.current.assist, Assistance.codec, example: Assistance.example,
      "What the receiver was given at its last start so that it finds itself sooner; absent if nothing was to be given."
    )
    Field.optional(
      "saving", \.current.saving, PowerSaving.codec, example: "oneHertz",
      "How it works while it is on, as it confirmed; absent if it is not to save power.")
  }
}

extension Assistance: WireObject {
  public static let wire = ObjectCodec<Assistance>(blank: Assistance(given: [], at: .boot)) {
    Field.filled(
      "given", \.given, .array(of: Assistance.Part.codec), example: ["time", "position", "orbits"],
      "What it was given; absent if nothing was.")
    Field.required("time", \.at, .wallClock, example: "2026-01-31T12:00:00.000Z", "When.")
    Field.optional(
      "problem", \.problem, .string, example: "the system clock is not synchronised",
      "Why it was not given all; absent if it was.")
  }
}

/// To a hundredth of a percent.
extension DaemonStatus.DutyCycle: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.DutyCycle>(blank: DaemonStatus.DutyCycle(hour: 0, day: 0)) {
    Field.required("hour", \.hour, .number(.share, decimals: 4), example: 0.05, "In the last hour.")
    Field.required("day", \.day, .number(.share, decimals: 4), example: 0.01, "In the last day.")
  }
}

extension DaemonStatus.Starts: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Starts>(blank: DaemonStatus.Starts(total: 0)) {
    Field.required("total", \.total, .integer(minimum: 0), example: 3, "In all.")
  }
}

extension DaemonStatus.OnPeriod: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.OnPeriod>(blank: DaemonStatus.OnPeriod(from: .boot)) {
    Field.required("from", \.from, .wallClock, example: "2026-01-31T12:00:00.000Z", "When it was turned on.")
    Field.optional(
      "until", \.until, .wallClock, example: "2026-01-31T12:00:05.000Z",
      "When it was turned off; absent while it is on.")
  }
}

extension DaemonStatus.NextStart: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.NextStart>(
    blank: DaemonStatus.NextStart(at: .boot, reason: .fallback)
  ) {
    Field.required("at", \.at, .wallClock, example: "2026-01-31T12:09:55.000Z", "When it is turned on.")
    Field.required(
      "reason", \.reason, Reason.codec, example: "due",
      "`due`: a fix is due; `retry`: the last search was without a fix; `keepHot`: so that a later start is quick.")
    Field.optional("due", \.due, .wallClock, example: "2026-01-31T12:10:00.000Z", "When a fix is due.")
    Field.optional(
      "what", \.what, .string, example: "position.subscribe",
      "The method that needs it, or `clock`.")
  }
}

extension DaemonStatus.StartTimes: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.StartTimes>(blank: DaemonStatus.StartTimes()) {
    Field.optional(
      "last", \.last, .seconds(.nonNegative), example: 2.5, "Seconds of the last start, since the daemon started.")
    Field.optional(
      "hot", \.hot, DaemonStatus.StartTime.codec, example: DaemonStatus.StartTime.example,
      "After less than 2 hours off; absent if there was no such start.")
    Field.optional(
      "warm", \.warm, DaemonStatus.StartTime.codec, example: DaemonStatus.StartTime.example,
      "After less than 4 hours off; absent if there was no such start.")
    Field.optional(
      "cold", \.cold, DaemonStatus.StartTime.codec, example: DaemonStatus.StartTime.example,
      "After longer; absent if there was no such start.")
  }
}

extension DaemonStatus.StartTime: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.StartTime>(
    blank: DaemonStatus.StartTime(count: 0, mean: .zero, most: .zero)
  ) {
    Field.required("count", \.count, .integer(minimum: 0), example: 240, "How many starts are known.")
    Field.required("mean", \.mean, .seconds(.nonNegative), example: 2.4, "Seconds on average.")
    Field.required(
      "most", \.most, .seconds(.nonNegative), example: 6.1, "Seconds within which 99.5 % of them have a fix.")
  }
}

extension Demand: WireObject {
  public static let wire = ObjectCodec<Demand>(blank: Demand(accuracy: 0, interval: .zero, activity: .fallback)) {
    Field.required("accuracy", \.accuracy, .number(.meters), example: 15, "Metres.")
    Field.required("interval", \.interval, .seconds(), example: 1, "Seconds between two fixes.")
    Field.required("activity", \.activity, Activity.codec, example: "automotive", "What moves the device.")
  }
}

extension DaemonStatus.Demands: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Demands>(blank: DaemonStatus.Demands(Demand.wire.blank)) {
    Demand.wire.fields(within: \DaemonStatus.Demands.merged)
    Field.defaulted(
      "clients", \.clients, .array(of: DaemonStatus.ClientDemand.codec), namesDefault: false,
      example: [DaemonStatus.ClientDemand.example],
      "The requests, if the client may know them; decisive ones first, at most 64.")
    Field.count("omitted", \.omitted, example: 12, "How many requests are not listed; absent if all are.")
  }
}

extension DaemonStatus.ClientDemand: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.ClientDemand>(
    blank: DaemonStatus.ClientDemand(principal: Principal.wire.blank, what: "", demand: Demand.wire.blank)
  ) {
    Field.required("principal", \.principal, Principal.codec, example: Principal.example, "The client.")
    Field.required("what", \.what, .string, example: "position.subscribe", "The method.")
    Demand.wire.fields(within: \DaemonStatus.ClientDemand.demand)
    Field.flag("decisive", \.isDecisive, "True if this request determines the demand; else absent.")
  }
}

extension Diagnostics: WireObject {
  public static let wire = ObjectCodec<Diagnostics>(
    "Diagnostics", blank: Diagnostics(availability: .fallback, power: .fallback)
  ) {
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
    Field.optional(
      "mode", \.mode, Fix.Mode.codec, example: "2d",
      "How many dimensions the receiver solves for; absent without a fix.")
    Field.optional(
      "satellitesSeen", \.satellitesSeen, .integer(minimum: 0), example: 7,
      "How many satellites the receiver sees.")
    Field.optional(
      "satellitesUsed", \.satellitesUsed, .integer(minimum: 0), example: 3,
      "How many of them its solution uses.")
    Field.optional(
      "lastFixAge", \.lastFixAge, .seconds(.nonNegative), example: 754.2, "Seconds since the newest fix.")
    Field.optional("receiver", \.receiver, .string, example: "/dev/ttyACM0", "The receiver's path.")
    Field.required(
      "power", \.power, PowerState.State.codec, example: "on", "What is known of the receiver's power.")
    Field.optional(
      "detail", \.detail, .string, example: "gpsd has no device",
      "The state of the receiver and gpsd in words, if there is something to say.")
    Field.optional(
      "problem", \.problem, ReceiverProblem.codec, example: "late",
      "What is wrong with the receiver's reports; absent if nothing is.")
    Field.optional(
      "lag", \.lag, .seconds(.nonNegative), example: 4.5,
      "Seconds by which positions arrive later than the receiver's best ones; absent up to 2 s.")
  }
}
