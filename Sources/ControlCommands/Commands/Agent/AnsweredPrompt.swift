import JSONRPC
import PositionProtocol
import Positioning

/// A prompt and its answer, as `positionctl agent` prints it.
struct AnsweredPrompt: Hashable, WireValue {
  let principal: Principal
  /// A denial has no level and no precision.
  let answer: PromptAnswer

  /// The answer's members beside the principal; only ever written.
  static let codec: Codec<AnsweredPrompt> = .written { prompt, writer in
    writer.key("principal")
    Principal.wire.write(prompt.principal, &writer)
    PromptAnswer.wire.writeMembers(of: prompt.answer, &writer)
  }
}
