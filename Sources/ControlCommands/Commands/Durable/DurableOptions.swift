import ProgramArguments

/// The options that select a durable name.
enum DurableOptions {
  static let durable = Option("durable", .name("NAME"), "the durable name of the region")
  static let wake = Option(
    "wake", .name("UNIT"), "with --durable: a service that events start, such as tracker.service")
}
