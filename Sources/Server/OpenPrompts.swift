import Broker
import JSONRPC

/// The questions that one agent has been sent and has not answered.
struct OpenPrompts {
  /// The most at a time; past it a question is not put to this agent. One principal has one question at a time, so this
  /// is how many of them one person can be asked for at once.
  static let maximum = 64

  private var prompts: [RequestID: PromptID] = [:]
  private var requests: [PromptID: RequestID] = [:]

  var isFull: Bool { self.prompts.count >= Self.maximum }

  mutating func asked(_ prompt: PromptID, as request: RequestID) {
    self.prompts[request] = prompt
    self.requests[prompt] = request
  }

  /// Which question that request was; `nil` where it was none, or is answered or withdrawn already.
  mutating func answered(_ request: RequestID) -> PromptID? {
    guard let prompt = self.prompts.removeValue(forKey: request) else { return nil }
    self.requests[prompt] = nil
    return prompt
  }

  /// The request that put the question; `nil` where it is not open.
  mutating func withdrawn(_ prompt: PromptID) -> RequestID? {
    guard let request = self.requests.removeValue(forKey: prompt) else { return nil }
    self.prompts[request] = nil
    return request
  }
}
