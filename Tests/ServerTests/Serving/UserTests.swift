import Broker
import JSONRPC
import PositionProtocol
import Positioning
import Testing

@testable import Server

@Suite("The user in an administrator's request")
struct UserTests {
  /// A number without a user.
  private static let nobodys: UInt32 = 4_123_456_789

  @Test(
    "is identified by the name or the number",
    arguments: [#""root""#, "0", #""0""#])
  func known(user: String) throws {
    #expect(
      try HandledRequest("admin.grant", #"{"user":\#(user),"level":"always","precision":"reduced"}"#).call
        == .grant(uid: 0, user: "root", .always, .reduced))
    #expect(try HandledRequest("admin.revoke", #"{"user":\#(user)}"#).call == .revoke(uid: 0))
  }

  @Test("may be denied, without a precision")
  func deny() throws {
    #expect(
      try HandledRequest("admin.grant", #"{"user":0,"level":"deny"}"#).call
        == .grant(uid: 0, user: "root", nil, .precise))
    #expect(
      throws: RPCError.invalidParameter(
        path: "precision", found: "set with level deny", expected: "level whenInUse or always with it")
    ) { try HandledRequest("admin.grant", #"{"user":0,"level":"deny","precision":"reduced"}"#).call }
  }

  @Test(
    "is an error if there is none",
    arguments: [
      "", "no such user", "root ", "Root\\u0000", "root\\u0000", "-1", "+0", "0x0", "4294967296", "٣",
    ])
  func unknown(name: String) throws {
    for method in ["admin.grant", "admin.revoke"] {
      let level = method == "admin.grant" ? #","level":"always""# : ""
      let error = #expect(throws: RPCError.self) {
        try HandledRequest(method, "{\"user\":\"\(name)\"\(level)}").call
      }
      #expect(error?.code == .invalidParams && error?.data?["path"] == "user", "\(name)")
      #expect(error?.data?["expected"] == "the name or the number of a user of this system")
    }
  }

  @Test("can be removed if its number has no user, and gets no decision", arguments: ["", "\""])
  func number(quote: String) throws {
    let user = "\(quote)\(Self.nobodys)\(quote)"
    #expect(try HandledRequest("admin.revoke", #"{"user":\#(user)}"#).call == .revoke(uid: Self.nobodys))
    #expect(
      throws: RPCError.invalidParameter(
        path: "user", found: "\(Self.nobodys), a number without a user",
        expected: "a user of this system, because a decision belongs to the number and the name together")
    ) { try HandledRequest("admin.grant", #"{"user":\#(user),"level":"always"}"#).call }
  }

  @Test("cannot have an impossible number")
  func large() {
    let error = #expect(throws: RPCError.self) { try HandledRequest("admin.revoke", #"{"user":4294967296}"#) }
    #expect(error?.code == .invalidParams && error?.data?["path"] == "user")
  }
}
