import Broker
import JSONRPC
import PositionProtocol
import Positioning
import Testing

@testable import Server

@Suite struct RequestHandlerTests {
  @Test("every registered request is served", arguments: PositionMethods.server.requests.map { $0.method })
  func everyRequestIsServed(method: String) throws {
    let type = try #require(PositionMethods.server.request(method))
    #expect(type is any RequestHandler.Type, "\(method) has no file in Serving")
  }

  /// The compiler keeps the broker from that, and the client must get some answer.
  @Test("another call's answer becomes an internal error")
  func anotherAnswer() throws {
    let message = try HandledRequest("position.get", "{}").message(with: .heading(HeadingResult()))
    #expect(message["error"]?["code"] == -32603 && message["result"] == nil)
  }

  @Test("every registered notification is known to the server")
  func everyNotificationIsServed() {
    #expect(PositionMethods.server.notifications.map { $0.method } == [CancelRequestNotification.method])
  }
}
