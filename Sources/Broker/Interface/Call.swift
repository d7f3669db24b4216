package import Positioning
import ReceiverPorts

/// A client's request to the broker. Each call gets exactly one `Answer`, by its deadline.
///
/// The last part of each case says which value answers it.
package enum Call: Hashable, Sendable {
  case getFix(FixRequest, By<FixResult> = By())
  case lastFix(By<LastFix> = By())
  /// Durable ones have the mode significant or deferred.
  case subscribe(SubscriptionParameters, durable: DurableRequest? = nil, By<SubscriptionAnswer> = By())
  case updateSubscription(number: Int, SubscriptionChange, By<SubscriptionAnswer> = By())
  case cancelSubscription(number: Int, By<SubscriptionAnswer> = By())
  case listSubscriptions(By<[SubscriptionInfo]> = By())
  case commandSubscription(number: Int, SubscriptionCommand, By<SubscriptionAnswer> = By())
  case commandDurable(name: String, SubscriptionCommand, By<SubscriptionAnswer> = By())
  case subscribeVisits(durable: DurableRequest? = nil, By<SubscriptionAnswer> = By())
  /// Adds a region, or replaces the one with its id.
  case addRegion(Region, durable: DurableRequest? = nil, By<RegionAnswer> = By())
  /// `durable`: the name to which it belongs; `nil`: this client.
  case removeRegion(id: String, durable: String? = nil, By<RegionAnswer> = By())
  case regionState(id: String, durable: String? = nil, By<RegionAnswer> = By())
  /// - Parameter after: The region after which the list continues; `nil`: from the first.
  case listRegions(durable: String? = nil, after: String? = nil, By<RegionPage> = By())
  /// Deliver the events after this one, and new ones, to this client.
  case attachDurable(name: String, sinceEvent: UInt64? = nil, By<DurableInfo> = By())
  /// Acknowledges the events up to this one.
  case acknowledgeDurable(name: String, event: UInt64, By<DurableInfo> = By())
  case listDurables(By<[DurableInfo]> = By())
  case removeDurable(name: String, By<DurableInfo> = By())
  /// Ends a waiting call of the same client with the best fix so far, as its timeout would.
  case completeRequest(CallID, By<RequestOutcome> = By())
  /// Ends a waiting call of the same client with `CallFailure.cancelled`.
  case cancelRequest(CallID, By<RequestOutcome> = By())
  case listRequests(By<[OpenCall]> = By())
  case sky(By<Sky?> = By())
  case subscribeSky(minInterval: Duration, isPassive: Bool = false, By<SubscriptionAnswer> = By())
  case getHeading(HeadingRequest, By<HeadingResult> = By())
  case subscribeHeading(HeadingParameters, By<SubscriptionAnswer> = By())
  case time(By<ReceiverTime> = By())
  case status(By<DaemonStatus> = By())
  case subscribeStatus(By<SubscriptionAnswer> = By())
  case authorization(By<Authorization> = By())
  case requestAuthorization(AuthorizationRequest, By<Authorization> = By())
  /// Makes the client an agent.
  case registerAgent(By<AgentAnswer> = By())
  // MARK: For administrators
  case listClients(By<[ClientInfo]> = By())
  case listGrants(By<[Grant]> = By())
  /// Stores a decision for the user; `nil`: a denial.
  case grant(uid: UInt32, user: String, AuthorizationLevel?, Precision, By<Grant> = By())
  /// Removes the stored decision for the user.
  case revoke(uid: UInt32, By<Grant> = By())
  /// The master switch.
  case setEnabled(Bool, By<SwitchAnswer> = By())
}

extension Call {
  /// What the broker has to know of each call. The compiler demands a row for every call.
  ///
  /// A client may always list, change and remove what it has: a suspended subscription delivers nothing.
  var row: CallRow {
    switch self {
    case .getFix: CallRow(.position, demand: .unlessAnswered, mayWait: true)
    case .lastFix: CallRow(.position)
    case .subscribe(_, durable: nil, _): CallRow(.position, demand: .unlessAnswered, mayWait: true)
    case .subscribe: CallRow(.durable, store: .changesNames, demand: .unlessAnswered, mayWait: true)
    case .updateSubscription: CallRow(.nothing, demand: .unlessAnswered)
    case .cancelSubscription: CallRow(.nothing)
    case .listSubscriptions: CallRow(.nothing)
    case .commandSubscription(_, let command, _):
      CallRow(command == .acquire ? .position : .nothing, demand: .unlessAnswered)
    case .commandDurable(_, let command, _):
      CallRow(command == .acquire ? .position : .nothing, store: .changesNames, demand: .unlessAnswered)
    case .subscribeVisits(durable: nil, _): CallRow(.precise, demand: .unlessAnswered, mayWait: true)
    case .subscribeVisits: CallRow(.preciseDurable, store: .changesNames, demand: .unlessAnswered, mayWait: true)
    case .addRegion(_, durable: nil, _): CallRow(.position, demand: .always)
    case .addRegion: CallRow(.durable, store: .changesNames, demand: .always)
    case .removeRegion(_, let durable, _): CallRow(.nothing, store: durable == nil ? .untouched : .changesNames)
    case .regionState(_, let durable, _): CallRow(.position, store: durable == nil ? .untouched : .readsNames)
    case .listRegions(let durable, _, _): CallRow(.nothing, store: durable == nil ? .untouched : .readsNames)
    // Events that it acknowledges are delivered again if the acknowledgement is lost.
    case .attachDurable: CallRow(.durable, store: .readsNames)
    case .acknowledgeDurable: CallRow(.nothing, store: .changesNames)
    case .listDurables: CallRow(.nothing, store: .readsNames)
    case .removeDurable: CallRow(.nothing, store: .changesNames)
    case .completeRequest: CallRow(.nothing)
    case .cancelRequest: CallRow(.nothing)
    case .listRequests: CallRow(.nothing)
    case .sky: CallRow(.precise)
    case .subscribeSky: CallRow(.precise, demand: .unlessAnswered, mayWait: true)
    case .getHeading: CallRow(.precise, demand: .unlessAnswered, mayWait: true)
    case .subscribeHeading: CallRow(.precise, demand: .unlessAnswered, mayWait: true)
    case .time: CallRow(.nothing)
    case .status: CallRow(.nothing)
    case .subscribeStatus: CallRow(.nothing)
    case .authorization: CallRow(.nothing)
    case .requestAuthorization: CallRow(.nothing)
    case .registerAgent: CallRow(.nothing)
    case .listClients: CallRow(.administrator)
    case .listGrants: CallRow(.administrator, store: .readsDecisions)
    // `Permissions` checks whether it can be stored.
    case .grant: CallRow(.administrator)
    // It counts whether it is stored or not.
    case .revoke: CallRow(.administrator, store: .readsDecisions)
    case .setEnabled: CallRow(.administrator)
    }
  }
}

extension Call {
  /// The request that its client sees in its list, and can end, while it waits for a person's answer.
  var asked: RequestInfo.Asked? {
    switch self {
    case .getFix(let request, _): .fix(request)
    case .getHeading(let request, _): .heading(request)
    case .lastFix, .subscribe, .updateSubscription, .cancelSubscription, .listSubscriptions, .commandSubscription,
      .commandDurable, .subscribeVisits, .addRegion, .removeRegion, .regionState, .listRegions, .attachDurable,
      .acknowledgeDurable, .listDurables, .removeDurable, .completeRequest, .cancelRequest, .listRequests, .sky,
      .subscribeSky, .subscribeHeading, .time, .status, .subscribeStatus, .authorization, .requestAuthorization,
      .registerAgent, .listClients, .listGrants, .grant, .revoke, .setEnabled:
      nil
    }
  }
}

/// The only answer to a `Call`: its value, or the failure.
///
/// Indirect, because some are many times as large as the others, and each is passed on several times.
package indirect enum Answer: Hashable, Sendable {
  case fix(FixResult)
  case lastFix(LastFix)
  case subscription(SubscriptionAnswer)
  case subscriptions([SubscriptionInfo])
  case request(RequestOutcome)
  case requests([OpenCall])
  case sky(Sky?)
  case heading(HeadingResult)
  case time(ReceiverTime)
  case status(DaemonStatus)
  case region(RegionAnswer)
  case regions(RegionPage)
  case durable(DurableInfo)
  case durables([DurableInfo])
  case authorization(Authorization)
  case agentRegistered(AgentAnswer)
  case clients([ClientInfo])
  case grants([Grant])
  /// A decision was stored, or removed (then it is what was removed).
  case grant(Grant)
  case enabled(SwitchAnswer)
  case failed(CallFailure)
}

extension Answer {
  /// Why the call failed; `nil`: it has a value.
  package var failure: CallFailure? { if case .failed(let failure) = self { failure } else { nil } }

  /// How much it reveals of the position. The server checks it just before it sends the answer.
  package var sensitivity: Sensitivity {
    switch self {
    case .fix(let outcome): Sensitivity(of: outcome)
    case .lastFix(let last): Sensitivity(of: last.fix)
    case .sky(let sky): sky == nil ? .open : .precise
    case .heading(let outcome): outcome.heading == nil ? .open : .precise
    case .time(let time): time.reading == nil ? .open : .precise
    case .status(let status): status.lastFix == nil ? .open : .precise
    case .region(let region): region.state == .unknown ? .open : region.isReduced ? .reduced : .precise
    case .regions(let page): Sensitivity(of: page.regions)
    case .durable(let info): Sensitivity(of: info.regions)
    case .durables(let infos): Sensitivity(of: infos.flatMap(\.regions))
    case .subscription, .subscriptions, .request, .requests, .authorization, .agentRegistered, .clients, .grants,
      .grant, .enabled, .failed:
      .open
    }
  }
}

/// Says in a `Call` which value answers it, by its type alone: it holds nothing.
package struct By<Value: CallValue>: Hashable, Sendable {
  package init() {}
}

/// A value that answers calls. Each has its own case of `Answer`.
package protocol CallValue: Hashable, Sendable {
  var answer: Answer { get }
  /// The value in an answer; `nil`: it is a failure, or has another value.
  init?(_ answer: Answer)
}

// MARK: Values that are only answers

/// A subscription or a durable registration of any kind.
package enum SubscriptionAnswer: Hashable, Sendable {
  case begun(SubscriptionInfo)
  /// It was changed, or ended.
  case changed(SubscriptionInfo)
  /// A durable position or visit registration was made, or changed by a command.
  case durable(name: String, SubscriptionState, Availability)
}

package struct RegionAnswer: Hashable, Sendable {
  package let state: RegionState
  /// A warning about the accepted region.
  package let warning: String?
  /// Whether the region is judged by the reduced position.
  package let isReduced: Bool

  package init(_ state: RegionState, warning: String? = nil, isReduced: Bool = false) {
    self.state = state
    self.warning = warning
    self.isReduced = isReduced
  }
}

/// A page of a client's or a name's regions, and how many follow.
package struct RegionPage: Hashable, Sendable {
  package let regions: [RegionInfo]
  package let omitted: Int

  package init(_ regions: [RegionInfo], omitted: Int = 0) {
    self.regions = regions
    self.omitted = omitted
  }
}

/// The client is an agent now.
package struct AgentAnswer: Hashable, Sendable {
  package init() {}
}

/// The master switch.
package struct SwitchAnswer: Hashable, Sendable {
  package let isOn: Bool
  package let isStored: Bool
  /// Why earlier decisions are not known, if the switch was off because of that.
  package let unread: String?

  package init(_ isOn: Bool, isStored: Bool = true, unread: String? = nil) {
    self.isOn = isOn
    self.isStored = isStored
    self.unread = unread
  }
}

/// A call that waits for its answer.
package struct OpenCall: Hashable, Sendable {
  package var call: CallID
  package var info: RequestInfo
}

// MARK: Their cases

extension FixResult: CallValue {
  package var answer: Answer { .fix(self) }
  package init?(_ answer: Answer) { if case .fix(let value) = answer { self = value } else { return nil } }
}

extension LastFix: CallValue {
  package var answer: Answer { .lastFix(self) }
  package init?(_ answer: Answer) { if case .lastFix(let value) = answer { self = value } else { return nil } }
}

extension SubscriptionAnswer: CallValue {
  package var answer: Answer { .subscription(self) }
  package init?(_ answer: Answer) { if case .subscription(let value) = answer { self = value } else { return nil } }
}

extension RequestOutcome: CallValue {
  package var answer: Answer { .request(self) }
  package init?(_ answer: Answer) { if case .request(let value) = answer { self = value } else { return nil } }
}

extension HeadingResult: CallValue {
  package var answer: Answer { .heading(self) }
  package init?(_ answer: Answer) { if case .heading(let value) = answer { self = value } else { return nil } }
}

extension ReceiverTime: CallValue {
  package var answer: Answer { .time(self) }
  package init?(_ answer: Answer) { if case .time(let value) = answer { self = value } else { return nil } }
}

extension DaemonStatus: CallValue {
  package var answer: Answer { .status(self) }
  package init?(_ answer: Answer) { if case .status(let value) = answer { self = value } else { return nil } }
}

extension RegionAnswer: CallValue {
  package var answer: Answer { .region(self) }
  package init?(_ answer: Answer) { if case .region(let value) = answer { self = value } else { return nil } }
}

extension RegionPage: CallValue {
  package var answer: Answer { .regions(self) }
  package init?(_ answer: Answer) { if case .regions(let value) = answer { self = value } else { return nil } }
}

extension DurableInfo: CallValue {
  package var answer: Answer { .durable(self) }
  package init?(_ answer: Answer) { if case .durable(let value) = answer { self = value } else { return nil } }
}

extension Authorization: CallValue {
  package var answer: Answer { .authorization(self) }
  package init?(_ answer: Answer) { if case .authorization(let value) = answer { self = value } else { return nil } }
}

extension AgentAnswer: CallValue {
  package var answer: Answer { .agentRegistered(self) }
  package init?(_ answer: Answer) { if case .agentRegistered(let value) = answer { self = value } else { return nil } }
}

extension Grant: CallValue {
  package var answer: Answer { .grant(self) }
  package init?(_ answer: Answer) { if case .grant(let value) = answer { self = value } else { return nil } }
}

extension SwitchAnswer: CallValue {
  package var answer: Answer { .enabled(self) }
  package init?(_ answer: Answer) { if case .enabled(let value) = answer { self = value } else { return nil } }
}

extension Sky?: CallValue {
  package var answer: Answer { .sky(self) }
  package init?(_ answer: Answer) { if case .sky(let value) = answer { self = value } else { return nil } }
}

/// The value of a request that the server answers without the broker.
extension Never: CallValue {
  package var answer: Answer { switch self {} }
  package init?(_ answer: Answer) { return nil }
}

// MARK: Lists

/// What calls list.
package protocol ListedValue: Hashable, Sendable {
  static func answer(listing list: [Self]) -> Answer
  static func list(in answer: Answer) -> [Self]?
}

extension Array: CallValue where Element: ListedValue {
  package var answer: Answer { Element.answer(listing: self) }
  package init?(_ answer: Answer) { if let list = Element.list(in: answer) { self = list } else { return nil } }
}

extension SubscriptionInfo: ListedValue {
  package static func answer(listing list: [Self]) -> Answer { .subscriptions(list) }
  package static func list(in answer: Answer) -> [Self]? {
    if case .subscriptions(let list) = answer { list } else { nil }
  }
}

extension OpenCall: ListedValue {
  package static func answer(listing list: [Self]) -> Answer { .requests(list) }
  package static func list(in answer: Answer) -> [Self]? { if case .requests(let list) = answer { list } else { nil } }
}

extension DurableInfo: ListedValue {
  package static func answer(listing list: [Self]) -> Answer { .durables(list) }
  package static func list(in answer: Answer) -> [Self]? { if case .durables(let list) = answer { list } else { nil } }
}

extension ClientInfo: ListedValue {
  package static func answer(listing list: [Self]) -> Answer { .clients(list) }
  package static func list(in answer: Answer) -> [Self]? { if case .clients(let list) = answer { list } else { nil } }
}

extension Grant: ListedValue {
  package static func answer(listing list: [Self]) -> Answer { .grants(list) }
  package static func list(in answer: Answer) -> [Self]? { if case .grants(let list) = answer { list } else { nil } }
}
