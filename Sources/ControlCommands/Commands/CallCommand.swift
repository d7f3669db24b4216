import JSONRPC
import PositionClient
import ProgramArguments

/// `positionctl call`: any method of the protocol.
struct CallCommand: Command {
  static let description = CommandDescription(
    name: "call", summary: "call any method of the protocol",
    explanation: ["Prints the result as JSON. Subscriptions end with the command and are of no use here."],
    operands: [.init(name: "METHOD", .required), .init(name: "JSON", .optional)],
    examples: [
      "positionctl call status.get": "without parameters",
      "positionctl call position.get '{\"accuracy\":\"house\",\"timeout\":20}'": "with parameters",
      "positionctl call rpc.discover --json": "the description of the whole protocol",
    ])

  let method: String
  let params: JSONValue

  init(_ arguments: Arguments) throws(UsageError) {
    self.method = arguments.operands[0]
    self.params = arguments.operands.count > 1 ? try CallCommand.read(arguments.operands[1]) : [:]
  }

  private static func read(_ text: String) throws(UsageError) -> JSONValue {
    let value: JSONValue?
    do { value = try JSONValue(parsing: Array(text.utf8)) } catch { value = nil }
    guard case .object? = value, let value else {
      throw UsageError("invalid JSON \"\(text)\", expected an object such as '{\"timeout\":20}'")
    }
    return value
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.call(method: self.method, params: self.params) { result in
        switch result {
        case .success(let value):
          conversation.print(value, human: JSONFormat.lines(value))
          conversation.finish(.success)
        case .failure(let error):
          conversation.fail(error)
          if let data = error.rpcError?.data { context.report("details: \(JSONFormat.line(data))") }
        }
      }
    }
  }
}
