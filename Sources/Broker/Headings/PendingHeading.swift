import Positioning

/// A one-shot request that waits for a heading. It ends exactly once.
struct PendingHeading: Hashable, Sendable {
  let asker: Asker<HeadingResult>
  let request: HeadingRequest
  let began: Instant
  private(set) var deadline: Instant

  /// - Parameter maxRequestTime: The daemon's limit, which bounds every timeout and replaces a zero one.
  init(asker: Asker<HeadingResult>, request: HeadingRequest, began: Instant, maxRequestTime: Duration) {
    self.asker = asker
    self.request = request
    self.began = began
    self.deadline = request.deadline(began: began, maxRequestTime: maxRequestTime)
  }

  mutating func putOff(by gap: Duration) { self.deadline = self.deadline + gap }

  /// Its need of the receiver.
  var demand: Demand {
    Demand(accuracy: AccuracyLevel.city.meters, interval: .seconds(1), activity: .other)
  }

  /// Whether the heading is young enough; one that arrived after the request always is.
  func accepts(_ heading: Heading, now: Instant) -> Bool {
    heading.arrival >= self.began || heading.age(at: now) <= self.request.maximumAge
  }

  func info(now: Instant) -> RequestInfo {
    RequestInfo(
      asked: .heading(self.request), elapsed: now - self.began, remaining: max(.zero, self.deadline - now))
  }
}

extension HeadingRequest {
  func deadline(began: Instant, maxRequestTime: Duration) -> Instant {
    began + (self.timeout == .zero ? maxRequestTime : min(self.timeout, maxRequestTime))
  }
}
