import Broker
import JSONRPC

/// The prompts that one agent was sent and has not answered.
struct OpenPrompts {
  /// The most open prompts of one agent; further ones do not go to it. One principal has one prompt at a time, so a
  /// person can be asked for at most this many principals at once.
  static let maximum = 64

  private var prompts: [RequestID: PromptID] = [:]
  private var requests: [PromptID: RequestID] = [:]

  var isFull: Bool { self.prompts.count >= Self.maximum }

  mutating func asked(_ prompt: PromptID, as request: RequestID) {
    self.prompts[request] = prompt
    self.requests[prompt] = request
  }

  /// The prompt of the request; `nil` if it was no prompt, or is answered or withdrawn already.
  mutating func answered(_ request: RequestID) -> PromptID? {
    guard let prompt = self.prompts.removeValue(forKey: request) else { return nil }
    self.requests[prompt] = nil
    return prompt
  }

  /// The request of the prompt; `nil` if it is not open.
  mutating func withdrawn(_ prompt: PromptID) -> RequestID? {
    guard let request = self.requests.removeValue(forKey: prompt) else { return nil }
    self.prompts[request] = nil
    return request
  }
}
