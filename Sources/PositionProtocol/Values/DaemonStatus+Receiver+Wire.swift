public import JSONRPC
public import Positioning

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
