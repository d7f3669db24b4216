import JSONRPC
import PositionProtocol
import Positioning

/// A question and its answer, as `positionctl agent` prints it.
struct AnsweredPrompt: Hashable, WireValue {
  let principal: Principal
  /// What is granted is absent with a no.
  let answer: PromptAnswer

  /// The answer's members beside the principal; only ever written.
  static let codec: Codec<AnsweredPrompt> = .written { prompt, writer in
    writer.key("principal")
    Principal.wire.write(prompt.principal, &writer)
    PromptAnswer.wire.writeMembers(of: prompt.answer, &writer)
  }
}
