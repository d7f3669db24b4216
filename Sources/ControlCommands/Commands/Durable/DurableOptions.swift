import ProgramArguments

/// The options that say which durable name is meant.
enum DurableOptions {
  static let durable = Option("durable", .name("NAME"), "the durable name of the region")
  static let wake = Option(
    "wake", .name("UNIT"), "with --durable: a service that events start, such as tracker.service")
}
