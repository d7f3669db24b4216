import Positioning

/// A call that waits for a fix, for a heading, or for a person's answer.
enum PendingCall: Grouped {
  /// Indirect, because it is many times as large as the others.
  indirect case fix(PendingRequest)
  case heading(PendingHeading)
  case awaitingAuthorization(AwaitingCall)

  /// The subject of a waiting call.
  enum Subject: Hashable, Sendable {
    case fix, heading, authorization
  }

  var group: Subject {
    switch self {
    case .fix: .fix
    case .heading: .heading
    case .awaitingAuthorization: .authorization
    }
  }

  var id: CallID {
    switch self {
    case .fix(let request): request.asker.id
    case .heading(let request): request.asker.id
    case .awaitingAuthorization(let awaiting): awaiting.call
    }
  }

  /// The time of its answer at the latest; `nil`: when the prompt ends.
  var deadline: Instant? {
    switch self {
    case .fix(let request): request.deadline
    case .heading(let request): request.deadline
    case .awaitingAuthorization(let awaiting): awaiting.deadline
    }
  }

  mutating func putOff(by gap: Duration) {
    switch self {
    case .fix(var request):
      request.putOff(by: gap)
      self = .fix(request)
    case .heading(var request):
      request.putOff(by: gap)
      self = .heading(request)
    case .awaitingAuthorization(var awaiting):
      awaiting.putOff(by: gap)
      self = .awaitingAuthorization(awaiting)
    }
  }

  /// Its need of the receiver, and the method that causes it.
  var demand: (what: String, Demand)? {
    switch self {
    case .fix(let request): ("position.get", request.demand)
    case .heading(let request): ("heading.get", request.demand)
    case .awaitingAuthorization: nil
    }
  }

  /// Its entry in the client's list of requests; `nil` if it is not listed.
  func info(now: Instant) -> RequestInfo? {
    switch self {
    case .fix(let request): request.info(now: now)
    case .heading(let request): request.info(now: now)
    case .awaitingAuthorization(let awaiting): awaiting.info(now: now)
    }
  }
}

extension PendingRequest: Grouped {
  var group: FixFeedKey { self.feed }
}

/// A call that waits for a person's answer.
struct AwaitingCall: Sendable {
  let call: CallID
  let what: Call
  let began: Instant
  /// When it is answered without a decision; `nil`: when the prompt ends.
  private(set) var deadline: Instant?

  init(call: CallID, what: Call, began: Instant, maxRequestTime: Duration) {
    self.call = call
    self.what = what
    self.began = began
    self.deadline =
      switch what {
      case .getFix(let request, _) where !request.delaysUntilAuthorized:
        request.deadline(began: began, maxRequestTime: maxRequestTime)
      case .getHeading(let request, _): request.deadline(began: began, maxRequestTime: maxRequestTime)
      default: nil
      }
  }

  mutating func putOff(by gap: Duration) { self.deadline = self.deadline.map { $0 + gap } }

  func info(now: Instant) -> RequestInfo? {
    let asked: RequestInfo.Asked
    switch self.what {
    case .getFix(let request, _): asked = .fix(request.complete)
    case .getHeading(let request, _): asked = .heading(request)
    default: return nil
    }
    let remaining = self.deadline.map { max(.zero, $0 - now) } ?? PromptQueue.patience
    return RequestInfo(asked: asked, elapsed: now - self.began, remaining: remaining)
  }
}
