import JSONRPC
import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl sky`: the satellites.
struct SkyCommand: Command {
  static let watch = Option(flag: "watch", letter: "w", "keep updating until Ctrl-C")

  static let description = CommandDescription(
    name: "sky", summary: "show the satellites that the receiver sees",
    explanation: [
      "On a terminal, draws the sky first: north is up, the zenith is in the middle, and the rings are 60, 30 and 0 "
        + "degrees above the horizon. Names follow RINEX (G GPS, R GLONASS, E Galileo, C BeiDou, J QZSS, I NavIC, "
        + "S SBAS); lowercase satellites are not used for the fix. Never turns the receiver on."
    ],
    options: [Self.watch],
    examples: [
      .init(line: "positionctl sky", meaning: "the satellites the receiver saw last"),
      .init(line: "positionctl sky --watch", meaning: "a picture that follows the sky"),
    ])

  private let isWatching: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    self.isWatching = arguments.has(Self.watch)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      let finishes = !self.isWatching
      if self.isWatching { conversation.watchSky() }
      conversation.request(SkyGetRequest(), within: self.isWatching ? .seconds(10) : .zero) { result in
        switch result {
        case .success(let result):
          conversation.show(result.sky, isFirst: true)
          if finishes { conversation.finish(.success) }
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}

extension Conversation {
  fileprivate func watchSky() {
    self.follow(SkySubscribeRequest(isPassive: true), missed: "updates in between were missed") {
      [unowned self] event in
      switch event {
      case .notified(let update as SkyUpdateNotification): self.show(update.sky, isFirst: false)
      case .stopped, .over(nil): self.finish(.success)
      case .begun, .notified, .disconnected, .suspended, .reconnected, .over: break
      }
    }
  }

  fileprivate func show(_ sky: Sky?, isFirst: Bool) {
    let process = self.context.process
    let picture = process.output.isTerminal ? SkyPlot.lines(sky) : []
    if !isFirst, !self.context.wantsJSON { process.turnPage() }
    self.print(SkyGetRequest.Result(sky), drawn: picture + SkyTable.lines(sky, now: self.context.moment.now))
  }
}
