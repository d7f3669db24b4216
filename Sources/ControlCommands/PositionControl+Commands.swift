import Printable
import ProgramArguments

extension PositionControl {
  /// In the order of the overview; those of a family are adjacent.
  static let commands = [
    CommandEntry(GetCommand.self), CommandEntry(LastCommand.self), CommandEntry(WatchCommand.self),
    CommandEntry(TrackCommand.self), CommandEntry(HeadingCommand.self), CommandEntry(SkyCommand.self),
    CommandEntry(RegionAddCommand.self), CommandEntry(RegionRemoveCommand.self), CommandEntry(RegionListCommand.self),
    CommandEntry(RegionWatchCommand.self), CommandEntry(DurableListCommand.self),
    CommandEntry(DurableAttachCommand.self), CommandEntry(DurableAcknowledgeCommand.self),
    CommandEntry(DurableRemoveCommand.self), CommandEntry(AuthStatusCommand.self),
    CommandEntry(AuthRequestCommand.self), CommandEntry(AuthGrantsCommand.self), CommandEntry(AuthGrantCommand.self),
    CommandEntry(AuthRevokeCommand.self), CommandEntry(AuthClientsCommand.self), CommandEntry(AuthEnableCommand.self),
    CommandEntry(AuthDisableCommand.self), CommandEntry(AgentCommand.self), CommandEntry(StatusCommand.self),
    CommandEntry(MonitorCommand.self), CommandEntry(CallCommand.self), CommandEntry(DoctorCommand.self),
    CommandEntry(CompletionCommand.self),
  ]

  static let families = [
    CommandFamily(name: "region", summary: "report when the device enters or leaves a place"),
    CommandFamily(name: "durable", summary: "fetch events that occurred while your program was not running"),
    CommandFamily(name: "auth", summary: "show, request and grant permission to know the position"),
  ]

  static func members(of family: CommandFamily) -> [CommandDescription] {
    self.commands.map(\.description).filter { family.has($0) }
  }

  /// The command of that name; for a family, its first command.
  static func command(_ name: String) throws(UsageError) -> CommandEntry {
    if let command = self.commands.first(where: { $0.description.name == name }) { return command }
    let names = self.commands.map(\.description.name) + self.families.map(\.name)
    let meant = Spelling.nearest(to: name, among: names)
    throw UsageError(
      "unknown command \"\(name)\"; " + (meant.map { "did you mean \"\($0)\"? See" } ?? "see")
        + " \"positionctl --help\"")
  }
}
