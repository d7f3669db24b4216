/// What a program says that knows the protocol badly, or too well.
package enum Mistake: CaseIterable, Hashable, Sendable {
  case noJSON
  case tooDeep
  case noRequest
  case wrongID
  case unknownMethod
  case unknownParameter
  case negativeTimeout
  case endlessTimeout
  case noCoordinate
  case foreignSubscription
  case foreignName
  case administration
  case fullBatch
  /// Nothing is wrong with it: one of very many.
  case question
  /// The connection ends with it.
  case tooLarge
  case badHeader

  /// The line that is sent, with a request's id where it has one.
  func text(id: Int) -> String {
    func call(_ method: String, _ parameters: String) -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
    }
    return switch self {
    case .noJSON: #"{"jsonrpc":"2.0","id":\#(id),"method""#
    case .tooDeep: String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    case .noRequest: #"{"jsonrpc":"2.0","id":\#(id)}"#
    case .wrongID: #"{"jsonrpc":"2.0","id":{"number":\#(id)},"method":"position.last"}"#
    case .unknownMethod: call("position.gett", "{}")
    case .unknownParameter: call("position.get", #"{"acuracy":100}"#)
    case .negativeTimeout: call("position.get", #"{"timeout":-1}"#)
    case .endlessTimeout: call("position.get", #"{"timeout":1e300}"#)
    case .noCoordinate: call("region.add", #"{"id":"lie","circle":{"latitude":91,"longitude":0,"radius":100}}"#)
    case .foreignSubscription: call("subscription.cancel", #"{"subscription":1}"#)
    case .foreignName: call("durable.remove", #"{"name":"watches"}"#)
    case .administration: call("admin.disable", "{}")
    case .fullBatch: "[" + Array(repeating: "1", count: 257).joined(separator: ",") + "]"
    case .question: call("request.list", "{}")
    case .tooLarge: #"{"jsonrpc":"2.0","id":1,"method":""# + String(repeating: "x", count: 70_000) + #""}"#
    case .badHeader: "Content-Length: many\r\n\r"
    }
  }

  /// The error's code by docs/protocol.md; `nil`: there is a result.
  package var code: Double? {
    switch self {
    case .noJSON, .tooDeep, .badHeader: -32700
    case .noRequest, .wrongID: -32600
    case .unknownMethod: -32601
    case .unknownParameter, .negativeTimeout, .endlessTimeout, .noCoordinate: -32602
    case .foreignSubscription, .foreignName: -32008
    case .administration: -32002
    case .fullBatch: -32007
    case .question: nil
    case .tooLarge: -32009
    }
  }

  /// Whether its answer has the id of the request.
  package var hasID: Bool {
    switch self {
    case .noJSON, .tooDeep, .wrongID, .fullBatch, .tooLarge, .badHeader: false
    case _: true
    }
  }

  var endsConnection: Bool { self == .tooLarge || self == .badHeader }
}
