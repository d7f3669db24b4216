import EventLoop
import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// `positionctl region add`: adds a region to a durable name.
struct RegionAddCommand: RequestCommand {
  static let here = Option("here", .radius, "a circle of this radius around the device, as a new fix has it")

  static let description = CommandDescription(
    name: "region add", summary: "add or change a region under a durable name",
    explanation: [
      "The region stays until it is removed, and its events wait for a program that attaches to the durable name, such as "
        + "\"positionctl durable attach\". To watch a region only while a command runs, use "
        + "\"positionctl region watch\"."
    ],
    operands: [.init(name: "ID", .required)],
    options: [Self.here] + RegionOptions.all + [DurableOptions.durable, DurableOptions.wake],
    examples: [
      "positionctl region add home --circle 48.137,11.575,150m --durable tracker":
        "its events wait for the program of \"tracker\"",
      "positionctl region add car --here 100m --durable tracker": "where the device is now",
      "positionctl region add hut --circle 47,11,1km --durable hut --wake hut.service":
        "events start hut.service, if the administrator allows it",
    ])

  /// With --here its centre follows from the fix.
  let request: RegionAddRequest
  /// Metres; `nil`: the place is given.
  private let radiusHere: Double?

  init(_ arguments: Arguments) throws(UsageError) {
    self.radiusHere = arguments[Self.here]
    let region = try RegionOptions.region(id: arguments.operands[0], arguments, here: self.radiusHere)
    guard let name = arguments[DurableOptions.durable] else {
      throw UsageError("missing --durable NAME; \"positionctl region watch\" needs none")
    }
    self.request = RegionAddRequest(
      region: region, durable: DurableRequest(name: name, wake: arguments[DurableOptions.wake]))
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      guard let radius = self.radiusHere else { return self.add(self.request, in: conversation) }
      // A centre that is off by more than the radius would make a region beside the device.
      let wanted = AccuracyDemand.meters(min(radius, AccuracyLevel.block.meters))
      conversation.ask(PositionGetRequest(FixRequest(accuracy: wanted))) { [unowned conversation] result in
        guard let fix = result.fix, result.isSatisfied else {
          context.report(UnmetAccuracyFormat.line(result, wanted: wanted, context.format))
          return conversation.finish(.timedOut)
        }
        var request = self.request
        request.region.shape = .circle(center: fix.coordinate, radius: radius)
        self.add(request, in: conversation)
      }
    }
  }

  private func add(_ request: RegionAddRequest, in conversation: Conversation) {
    conversation.ask(request) { [unowned conversation] result in
      self.show(result, in: conversation)
      conversation.finish(.success)
    }
  }

  func show(_ result: RegionResult, in conversation: Conversation) {
    let context = conversation.context
    conversation.print(result, human: ["added \(self.request.region.id); \(result.state.sentence)"])
    if let warning = result.warning { context.report("note: \(warning)") }
    // The daemon accepts a unit that may be installed later, so only this shows a mistyped name.
    if let unit = self.request.durable?.wake, context.process.machine.lacksUnit(unit) {
      context.report("note: there is no unit \(unit); its events wait, and start nothing until it is installed")
    }
  }
}

/// `positionctl region remove`: removes a region of a durable name.
struct RegionRemoveCommand: RequestCommand {
  static let description = CommandDescription(
    name: "region remove", summary: "remove a region of a durable name",
    operands: [.init(name: "ID", .required)], options: [DurableOptions.durable],
    examples: ["positionctl region remove home --durable tracker": "events that are waiting stay"]
  )

  let request: RegionRemoveRequest

  init(_ arguments: Arguments) throws(UsageError) {
    guard let name = arguments[DurableOptions.durable] else {
      throw UsageError("missing \(DurableOptions.durable.form)")
    }
    self.request = RegionRemoveRequest(id: arguments.operands[0], durable: name)
  }

  func show(_ result: RegionRemoveRequest.Result, in conversation: Conversation) {
    conversation.print(result, human: ["removed \(self.request.id)"])
  }
}

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
      "positionctl region list": "regions of all your names",
      "positionctl region list --durable tracker --json": "regions of one name, for a script",
    ])

  private let name: String?

  init(_ arguments: Arguments) throws(UsageError) {
    self.name = arguments[DurableOptions.durable]
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      var isEmpty = true
      conversation.eachRegion(of: self.name) { [unowned conversation] name, region in
        isEmpty = false
        conversation.print(
          ListedRegion(durable: name, region: region),
          human: [RegionFormat.line(region, of: name, moment: context.moment, in: context.format)])
      } then: { [unowned conversation] in
        if isEmpty { context.note("no regions") }
        conversation.finish(.success)
      }
    }
  }
}

extension Conversation {
  /// Gets the regions of a durable name, or of all, one name after the other; a failure ends the command.
  func eachRegion(
    of name: String? = nil, _ take: @escaping (_ name: String, RegionInfo) -> Void, then end: @escaping () -> Void
  ) {
    if let name { return self.eachRegion(of: [name], take, then: end) }
    self.ask(DurableListRequest()) { [unowned self] list in
      self.eachRegion(of: list.names.map(\.name)[...], take, then: end)
    }
  }

  /// - Parameter taken: The regions of the first name that were taken already.
  private func eachRegion(
    of names: ArraySlice<String>, after last: String? = nil, taken: Set<String> = [],
    _ take: @escaping (_ name: String, RegionInfo) -> Void, then end: @escaping () -> Void
  ) {
    guard let name = names.first else { return end() }
    self.ask(RegionListRequest(durable: name, after: last)) { [unowned self] page in
      let ids = taken.union(page.regions.map(\.region.id))
      // Without this check a daemon with a wrong count would be asked for ever.
      guard ids.count == taken.count + page.regions.count else {
        return self.fail(.unexpected("a list with a region that it had before"))
      }
      for region in page.regions { take(name, region) }
      if page.omitted != nil, let last = page.regions.last {
        self.eachRegion(of: names, after: last.region.id, taken: ids, take, then: end)
      } else {
        self.eachRegion(of: names.dropFirst(), take, then: end)
      }
    }
  }
}

/// A region as `--json` prints it: with the protocol's members and its durable name.
private struct ListedRegion: WireValue {
  let durable: String
  let region: RegionInfo

  /// The name, and the region's own members beside it.
  static let codec: Codec<ListedRegion> = .written { listed, writer in
    writer.key("durable")
    writer.string(listed.durable)
    RegionInfo.wire.writeMembers(of: listed.region, &writer)
  }
}

/// `positionctl region watch`: the events of a region.
struct RegionWatchCommand: Command {
  static let description = CommandDescription(
    name: "region watch", summary: "report when the device enters or leaves a place",
    explanation: [
      "Watches the region until Ctrl-C, or until --count or --duration is reached; the exit code is 2 if no event came in "
        + "that time.",
      "With --durable, reports events of the regions of that name, or of the one with the ID, instead. It detaches the "
        + "program that is attached to the name, and acknowledges no event.",
    ],
    operands: [.init(name: "ID", .requiredUnless(DurableOptions.durable))],
    options: RegionOptions.all + [DurableOptions.durable, EventWatch.count, EventWatch.duration],
    examples: [
      "positionctl region watch home --circle 48.137,11.575,150m": "until Ctrl-C",
      "positionctl region watch home --circle 8FWH4HPG+VC,500ft": "around a plus code",
      "positionctl region watch home --circle 48.137,11.575,150m --notify enter -n 1":
        "ends when the device enters home; for a script",
      "positionctl region watch --durable tracker": "the regions of \"tracker\"",
    ])

  private enum Source {
    case region(Region)
    /// The region with the id, or all.
    case durable(name: String, id: String?)
  }

  private let source: Source
  private let limits: EventWatch.Limits

  init(_ arguments: Arguments) throws(UsageError) {
    self.limits = EventWatch.Limits(arguments)
    if let name = arguments[DurableOptions.durable] {
      guard !RegionOptions.areGiven(in: arguments) else {
        throw UsageError("--durable watches existing regions; to add one, use \"positionctl region add\"")
      }
      self.source = .durable(name: name, id: arguments.operands.first)
    } else {
      self.source = .region(try RegionOptions.region(id: arguments.operands[0], arguments))
    }
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      let watch = EventWatch(self.limits, in: conversation)
      switch self.source {
      case .region(let region):
        watch.begin(region) { [unowned conversation] result in
          if !context.wantsJSON { conversation.print(result, human: ["-- \(region.id): \(result.state.text)"]) }
          if let warning = result.warning { context.report("note: \(warning)") }
        }
      case .durable(let name, let id):
        watch.take = { event in
          guard let event = event as? RegionEventNotification else { return false }
          return id == nil || event.event.id == id
        }
        watch.begin(DurableAttachRequest(name: name)) { _ in }
      }
    }
  }
}

/// The options that describe a region, for every command that takes one.
enum RegionOptions {
  static let parameters = ParameterOptions<RegionAddRequest>(
    except: ["id", "durable"], named: ["dwellTime": ("dwell", nil), "expiresIn": ("expires", nil)],
    kinds: ["circle": .circle, "polygon": .polygon, "notify": .events])

  static var all: [any CommandOption] { self.parameters.all }

  /// The region of the options.
  ///
  /// - Parameter here: The radius of a circle whose centre is found later, in place of a shape.
  static func region(id: String, _ arguments: Arguments, here: Double? = nil) throws(UsageError) -> Region {
    let shapes = ["circle", "polygon"].compactMap { self.parameters[$0] }
    var members: [String: JSONValue] = ["id": .string(id)]
    if let here { members["circle"] = ["latitude": 0, "longitude": 0, "radius": .number(here)] }
    switch shapes.count(where: { arguments.has($0) }) {
    case 0 where here != nil: break
    case 1... where here != nil:
      throw UsageError("--here cannot be combined with --circle or --polygon")
    case 0: throw UsageError("missing \(shapes.map(\.form).joined(separator: " or "))")
    case 1: break
    default: throw UsageError("--circle and --polygon cannot be combined")
    }
    // The region is checked as a whole at the end.
    var region = try self.parameters.request(
      arguments, beside: members, leniency: [.values]
    ).region
    if region.dwellTime != nil { region.notify.insert(.dwell) }
    if region.notify.contains(.dwell), region.dwellTime == nil {
      throw UsageError("--notify dwell needs --dwell SECONDS")
    }
    do throws(InvalidRegion) {
      return try region.checked()
    } catch {
      throw UsageError("\(error.parameter) must be \(error.expected)")
    }
  }

  /// Whether any of them was given.
  static func areGiven(in arguments: Arguments) -> Bool { !self.parameters.given(in: arguments).isEmpty }
}

/// The text form of regions and their events.
enum RegionFormat {
  /// One line, such as `tracker home: inside for 3 min; 150 m around 48.137000 N, 11.575000 E; reports enter, exit`.
  static func line(
    _ watched: RegionInfo, of name: String, moment: CodingMoment, in format: PositionFormat = PositionFormat()
  ) -> String {
    let since = watched.since.map { " \(TimeSpan.since($0, moment))" } ?? ""
    var parts = [watched.state.text + since, self.shape(watched.region, format)]
    let notify = RegionEventKind.onDemand.filter { watched.region.notify.contains($0) }
    parts.append("reports " + (notify.isEmpty ? "nothing" : notify.map(\.rawValue).joined(separator: ", ")))
    if let remaining = watched.remaining { parts.append("expires in \(TimeSpan.words(remaining.seconds))") }
    return "\(name) \(watched.region.id): \(parts.joined(separator: "; "))"
  }

  /// An event, such as `entered "home" (97 % sure): 48.137154 N, ...`, or the state in which the region began, such as
  /// `at first outside "home"`.
  static func line(_ event: RegionEvent, now: Instant, in format: PositionFormat = PositionFormat()) -> String {
    var text =
      event.isInitial ? "at first \(event.state.text) \"\(event.id)\"" : self.text(event.kind, of: "\"\(event.id)\"")
    if let inside = event.probability {
      let certainty = event.state == .outside ? 1 - inside : inside
      text += " (\((certainty * 100).fixed(0)) % sure)"
    }
    if event.isInferred { text += ", between two fixes" }
    return text + (event.fix.map { ": \(FixFormat.line($0, level: nil, now: now, in: format))" } ?? "")
  }

  private static func text(_ event: RegionEventKind, of region: String) -> String {
    switch event {
    case .enter: "entered \(region)"
    case .exit: "left \(region)"
    case .dwell: "stayed in \(region)"
    case .crossed: "crossed \(region)"
    case .expired: "\(region) expired"
    case .unknown: "\(region): an event unknown to this version of positionctl"
    }
  }

  /// What it covers, such as `150 m around 48.137000 N, 11.575000 E`.
  static func shape(_ region: Region, _ format: PositionFormat) -> String {
    switch region.shape {
    case .circle(let center, let radius):
      "\(format.distance(radius)) around "
        + format.place(latitude: center.latitude, longitude: center.longitude, accuracy: nil)
    case .polygon(let corners): "a polygon of \(corners.count.counted("corner", "corners"))"
    }
  }
}

extension RegionState {
  /// The state as half a sentence.
  var sentence: String {
    switch self {
    case .unknown: "whether the device is inside is not known yet"
    case .inside: "the device is inside"
    case .outside: "the device is outside"
    }
  }

  var text: String {
    switch self {
    case .unknown: "position not known yet"
    case .inside: "inside"
    case .outside: "outside"
    }
  }
}
