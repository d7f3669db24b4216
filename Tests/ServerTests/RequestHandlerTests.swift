import JSONRPC
import PositionProtocol
import Testing

@testable import Server

@Suite struct RequestHandlerTests {
  @Test("every registered request is served", arguments: PositionMethods.server.requests.map { $0.method })
  func everyRequestIsServed(method: String) throws {
    let type = try #require(PositionMethods.server.request(method))
    #expect(type is any RequestHandler.Type, "\(method) has no file in Serving")
  }

  @Test("every registered notification is known to the server")
  func everyNotificationIsServed() {
    #expect(PositionMethods.server.notifications.map { $0.method } == [CancelRequestNotification.method])
  }
}
