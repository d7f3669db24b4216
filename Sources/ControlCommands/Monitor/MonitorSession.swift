import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// Keeps a model up to date: subscribes to what the daemon knows, and again to what was refused once that may have changed.
final class MonitorSession {
  private(set) var model: MonitorModel
  /// Called after each change of the model.
  var onChange: (() -> Void)?

  private unowned let conversation: Conversation
  /// What was refused, and is asked for again.
  private var refused: Set<MonitorModel.Part> = []
  private var timer: LoopTimer?
  private var regionsAsked: Instant?

  /// Regions and what of the status changes without a notification are asked for at most so often.
  private static let pause = Duration.seconds(5)
  /// After an error that is no denial: the daemon says when permission changes.
  private static let retry = Duration.seconds(10)

  /// A need of the finest fixes, each second.
  static let keepingOn: PositionSubscribeRequest = {
    var change = SubscriptionChange()
    change.integrity = .any
    return PositionSubscribeRequest(change)
  }()

  /// What others need, without a need of its own; also fixes that are old or not to be trusted, which the screen says.
  private static let observing: PositionSubscribeRequest = {
    var change = SubscriptionChange()
    change.mode = .passive
    change.integrity = .any
    change.replay = .any
    return PositionSubscribeRequest(change)
  }()

  init(keepsOn: Bool, in conversation: Conversation) {
    self.conversation = conversation
    self.model = MonitorModel(keepsOn: keepsOn)
  }

  /// The subscriptions keep this alive.
  func begin() {
    self.timer = self.conversation.timer(accuracy: .seconds(1)) { [unowned self] in self.askAgain() }
    self.conversation.onAnnouncement = { [unowned self] in self.announced($0) }
    self.followStatus()
    self.followPositions()
    self.followSky()
  }

  func end() { self.timer = nil }

  // MARK: Subscriptions

  private func followStatus() {
    self.conversation.observe(StatusSubscribeRequest()) { event in
      switch event {
      case .begun, .reconnected: self.connected()
      case .notified(let update as StatusUpdateNotification): self.change { $0.received(update.status, at: $1) }
      case .disconnected: self.change { $0.disconnected(self.conversation.connectionError, at: $1) }
      case .stopped(let reason): self.conversation.fail(reason)
      case .over(let error?): self.conversation.fail(error)
      case .over(nil): self.conversation.finish(.success)
      case .notified, .suspended: break
      }
    }
  }

  private func followPositions() {
    self.conversation.observe(self.model.keepsOn ? Self.keepingOn : Self.observing) { event in
      switch event {
      case .begun(let answer), .reconnected(let answer): self.change { model, _ in model.began(answer.availability) }
      case .notified(let notification as PositionUpdateNotification):
        self.change { $0.received(notification.update, at: $1) }
        self.askForRegions()
      case .suspended: self.change { model, _ in model.suspended() }
      case .over(let error?): self.refuse(.position, error)
      case .notified, .disconnected, .stopped, .over: break
      }
    }
  }

  private func followSky() {
    self.conversation.observe(SkySubscribeRequest(isPassive: true)) { event in
      switch event {
      case .begun, .reconnected: self.askForSky()
      case .notified(let update as SkyUpdateNotification): self.change { model, _ in model.received(update.sky) }
      case .over(let error?): self.refuse(.sky, error)
      case .notified, .disconnected, .suspended, .stopped, .over: break
      }
    }
  }

  // MARK: Questions

  private func connected() {
    self.change { model, _ in model.reconnected() }
    self.regionsAsked = nil
    self.askForRegions()
    self.askAgain()
  }

  private func askForSky() {
    self.conversation.request(SkyGetRequest()) { result in
      switch result {
      case .success(let answer): self.change { model, _ in model.received(answer.sky) }
      case .failure: break  // The subscription says why.
      }
    }
  }

  /// With the position the states of regions may change; nobody is notified of those of other programs.
  private func askForRegions() {
    let now = self.conversation.loop.now
    guard self.regionsAsked.map({ now - $0 >= Self.pause }) ?? true else { return }
    self.regionsAsked = now
    self.conversation.request(DurableListRequest()) { result in
      guard !self.conversation.isFinished else { return }
      switch result {
      case .success(let answer): self.change { $0.received(answer.names, at: $1) }
      case .failure(.failed(let error)): self.change { $0.refused(.regions, .failed(error), at: $1) }
      case .failure(.notPermitted(let refusal)): self.change { $0.refused(.regions, .notPermitted(refusal), at: $1) }
      case .failure: break  // The connection is lost, which the status says.
      }
    }
  }

  // MARK: Refusals

  private func refuse(_ part: MonitorModel.Part, _ error: PositionError) {
    self.refused.insert(part)
    self.change { $0.refused(part, error, at: $1) }
    if case .notPermitted = error { return }
    self.timer?.arm(at: self.conversation.loop.now + Self.retry)
  }

  private func askAgain() {
    let parts = self.refused
    self.refused = []
    if parts.contains(.position) { self.followPositions() }
    if parts.contains(.sky) { self.followSky() }
  }

  private func announced(_ notification: any AnnouncedNotification) {
    switch notification {
    case let prompt as AuthorizationPromptedNotification:
      self.change { $0.noted(Conversation.words(prompt), at: $1) }
    case is AuthorizationChangedNotification:
      self.regionsAsked = nil
      self.askForRegions()
      self.askAgain()
    default: break
    }
  }

  private func change(_ change: (inout MonitorModel, CodingMoment) -> Void) {
    guard !self.conversation.isFinished else { return }
    change(&self.model, self.conversation.context.moment)
    self.onChange?()
  }
}
