import Positioning

/// A call that waits: for a fix, for a heading, or for a person's answer.
enum PendingCall: Grouped {
  /// Indirect, since it is many times as large as the others.
  indirect case fix(PendingRequest)
  case heading(PendingHeading)
  case awaitingAuthorization(AwaitingCall)

  /// What it waits for.
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
    case .fix(let request): request.call
    case .heading(let request): request.call
    case .awaitingAuthorization(let awaiting): awaiting.call
    }
  }

  /// When it is answered at the latest; `nil`: when nobody answers the person's question any more.
  var deadline: Instant? {
    switch self {
    case .fix(let request): request.deadline
    case .heading(let request): request.deadline
    case .awaitingAuthorization(let awaiting): awaiting.deadline
    }
  }

  /// What it asks of the receiver, and as which call.
  var demand: (what: String, Demand)? {
    switch self {
    case .fix(let request): ("position.get", request.demand)
    case .heading(let request): ("heading.get", request.demand)
    case .awaitingAuthorization: nil
    }
  }

  /// As its client lists it; `nil` where it is none that is listed.
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
  /// When it is answered without; `nil`: when nobody answers the question any more.
  let deadline: Instant?

  init(call: CallID, what: Call, began: Instant, maxRequestTime: Duration) {
    self.call = call
    self.what = what
    self.began = began
    self.deadline =
      switch what {
      case .getFix(let request) where !request.delaysUntilAuthorized:
        request.deadline(began: began, maxRequestTime: maxRequestTime)
      case .getHeading(let request):
        PendingHeading(call: call, request: request, began: began, maxRequestTime: maxRequestTime).deadline
      default: nil
      }
  }

  func info(now: Instant) -> RequestInfo? {
    let asked: RequestInfo.Asked
    switch self.what {
    case .getFix(let request): asked = .fix(request.complete)
    case .getHeading(let request): asked = .heading(request)
    default: return nil
    }
    let remaining = self.deadline.map { max(.zero, $0 - now) } ?? PromptQueue.patience
    return RequestInfo(asked: asked, elapsed: now - self.began, remaining: remaining)
  }
}
