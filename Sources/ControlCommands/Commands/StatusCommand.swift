import EventLoop
import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl status`: the status of the daemon and the receiver.
struct StatusCommand: Command {
  static let why = Option(flag: "why", "show who keeps the receiver on")

  static let description = CommandDescription(
    name: "status", summary: "show the status of positiond and the receiver", options: [Self.why],
    examples: [
      .init(line: "positionctl status", meaning: "receiver, power, gpsd and demand"),
      .init(line: "positionctl status --why", meaning: "who keeps the receiver on"),
    ])

  private let showsWhy: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    self.showsWhy = arguments.has(Self.why)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      var notice: [String] = []
      conversation.request(AuthorizationGetRequest()) { result in
        // The rest of the status would look as if programs could get positions. Without an answer the status itself says why.
        if case .success(let authorization) = result { notice = StatusFormat.notice(authorization) }
      }
      conversation.request(StatusGetRequest()) { result in
        switch result {
        case .success(let status):
          conversation.print(
            status,
            human: notice
              + (self.showsWhy ? StatusFormat.why(status) : StatusFormat.lines(status, at: context.moment)))
          conversation.finish(.success)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}
