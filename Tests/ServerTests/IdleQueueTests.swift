import Broker
import Positioning
import Testing

@testable import Server

@Suite("Idle clients that can be closed")
struct IdleQueueTests {
  private static func at(_ seconds: Int) -> Instant { Instant(sinceBoot: .seconds(seconds)) }

  @Test("The client that was silent the longest comes first; an active one moves to the end, a closed one is removed")
  func order() {
    var line = IdleQueue()
    for client in UInt64(1)...3 { line.heard(ClientID(client), now: Self.at(Int(client))) }
    #expect(line.first?.client == ClientID(1) && line.first?.since == Self.at(1))
    line.heard(ClientID(1), now: Self.at(9))
    #expect(line.first?.client == ClientID(2))
    line.remove(ClientID(2))
    line.remove(ClientID(3))
    #expect(line.first?.client == ClientID(1) && line.first?.since == Self.at(9))
    line.remove(ClientID(1))
    #expect(line.first == nil && line.count == 0)
  }

  @Test("A client that is active a million times takes no more room than a silent one")
  func room() {
    var line = IdleQueue()
    line.heard(ClientID(1), now: Self.at(1))
    for second in 0..<100_000 { line.heard(ClientID(2), now: Self.at(second)) }
    #expect(line.room < 256)
    #expect(line.first?.client == ClientID(1))
  }
}
