import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments

/// `positionctl region list`: the regions of durable names.
struct RegionListCommand: Command {
  static let description = CommandDescription(
    name: "region list", summary: "list the regions of your durable names",
    explanation: [
      "One line per region, and whether the device is inside. Regions without a durable name are not listed: only their "
        + "own program sees them."
    ],
    options: [DurableOptions.durable],
    examples: [
      .init(line: "positionctl region list", meaning: "regions of all your names"),
      .init(line: "positionctl region list --durable tracker --json", meaning: "regions of one name, for a script"),
    ])

  private let name: String?

  init(_ arguments: Arguments) throws(UsageError) {
    self.name = arguments[DurableOptions.durable]
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      if let name = self.name { return conversation.listRegions(of: [name]) }
      conversation.request(DurableListRequest()) { [unowned conversation] result in
        switch result {
        case .success(let list): conversation.listRegions(of: list.names.map(\.name)[...])
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}

extension Conversation {
  /// Prints the regions of names, one name after the other, and ends the command.
  ///
  /// - Parameters:
  ///   - listed: The regions of the first name that were printed.
  ///   - isEmpty: Whether no name before had one.
  fileprivate func listRegions(
    of names: ArraySlice<String>, after last: String? = nil, listed: Set<String> = [], isEmpty: Bool = true
  ) {
    guard let name = names.first else {
      if isEmpty { self.context.note("no regions") }
      return self.finish(.success)
    }
    let request = RegionListRequest(durable: name, after: last)
    self.request(request) { [unowned self] result in
      switch result {
      case .success(let page):
        let ids = listed.union(page.regions.map(\.region.id))
        // Without this check a daemon with a wrong count would be asked for ever.
        guard ids.count == listed.count + page.regions.count else {
          return self.fail(.unexpected("a list with a region that it had before"))
        }
        for region in page.regions {
          self.print(
            ListedRegion(name, region), human: [RegionFormat.line(region, of: name, moment: self.context.moment)])
        }
        let isEmpty = isEmpty && page.regions.isEmpty
        let isCut = page.omitted != nil && !page.regions.isEmpty
        if isCut {
          self.listRegions(of: names, after: page.regions.last?.region.id, listed: ids, isEmpty: isEmpty)
        } else {
          self.listRegions(of: names.dropFirst(), isEmpty: isEmpty)
        }
      case .failure(let error): self.fail(error)
      }
    }
  }
}

/// A region as `--json` prints it: with the protocol's members and its durable name.
private struct ListedRegion: WireValue {
  let durable: String
  let region: RegionInfo

  init(_ durable: String, _ region: RegionInfo) {
    self.durable = durable
    self.region = region
  }

  /// The region's members beside the name.
  static let codec: Codec<ListedRegion> = .written { listed, writer in
    writer.key("durable")
    writer.string(listed.durable)
    RegionInfo.wire.writeMembers(of: listed.region, &writer)
  }
}
