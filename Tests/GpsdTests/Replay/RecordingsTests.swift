import Broker
import Glibc
import Positioning
import ReceiverPorts
import ReceiverSimulator
import TestSupport
import Testing

@testable import Gpsd

/// Recorded sessions with a real gpsd (3.22) and the simulated receiver, through the live connection's own code and the
/// broker, in virtual time. `scripts/record-sessions` records them again.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct RecordingsTests {
  /// The deliveries of a recording to a client without filters.
  struct Received {
    var fixes: [Fix] = []
    var reasons: [DeliveryReason] = []
  }

  /// - Parameter silence: how long nothing comes after the end of the recording.
  private static func replay(_ name: String, silence: Duration) throws -> Received {
    let recording = try File.read("\(PackageRoot.path)/Tests/GpsdTests/Recordings/\(name).jsonl")
    let start = Instant(sinceBoot: .seconds(1000))
    var broker = BrokerMachine(settings: .open, now: start)
    var received = Received()
    var deadline: Instant?
    func take(_ actions: [Action]) {
      for action in actions {
        switch action {
        case .notify(_, .position(_, let update)):
          if let fix = update.fix { received.fixes.append(fix) }
          if let reason = update.reason { received.reasons.append(reason) }
        case .setDeadline(let new): deadline = new
        case .notify, .answer, .setReceiver, .allowSaving, .askClock, .store, .reportWhenTaken, .reportStoppedReceiver,
          .startUnit,
          .log, .clear,
          .ask,
          .withdraw, .inUse, .end:
          break
        }
      }
    }
    let client = ClientID(1)
    take(broker.handle(.clientConnected(client, Principal(uid: 0, gid: 0, pid: 1)), now: start))
    let parameters = SubscriptionParameters(minInterval: .zero)
    take(broker.handle(.called(CallID(client: client, serial: 1), .subscribe(parameters)), now: start))
    for event in RecordedSession.replay(
      recording, silentAfter: FixSettings().lossAfter, start: start, pacing: .receiverTime, silence: silence)
    {
      while let due = deadline, due <= event.moment {
        deadline = nil
        take(broker.handle(.deadlineReached, now: due))
      }
      take(broker.handle(.receiver(event.event), now: event.moment))
    }
    return received
  }

  @Test func `a hot start, and a period without sky`() throws {
    let received = try Self.replay("nmea-start", silence: .zero)
    #expect(received.reasons == [.available, .lost, .restored])
    #expect(received.fixes.count == 17)
    // The first report of a receiver often has no estimate, and so it is delivered: unknown, not 0.
    let known = received.fixes.compactMap(\.horizontalAccuracy)
    #expect(known.count >= 15 && known.allSatisfy { $0 > 5 && $0 < 60 })
  }

  @Test func `a u-blox at 5 Hz reports its own accuracy`() throws {
    let received = try Self.replay("ublox-5hz", silence: .zero)
    #expect(received.reasons == [.available])
    #expect(received.fixes.count > 80)
    let last = try #require(received.fixes.last)
    #expect(last.satellitesUsed == 17)
    #expect((last.horizontalAccuracy ?? .infinity) < 5)
  }

  @Test func `standard deviations decide at 10 Hz, and no epoch is delivered twice`() throws {
    let received = try Self.replay("heading-10hz", silence: .zero)
    #expect(received.fixes.count > 70)
    let times = received.fixes.compactMap(\.time)
    #expect(Set(times).count == times.count)
    // The first epochs come before the first standard deviations.
    #expect(received.fixes.dropFirst(10).allSatisfy { ($0.horizontalAccuracy ?? .infinity) < 20 })
  }

  @Test func `a receiver that is unplugged without a report is lost once`() throws {
    let received = try Self.replay("unplugged", silence: .seconds(30))
    #expect(received.reasons.filter { $0 == .lost }.count == 1)
    #expect(received.reasons.last == .lost || received.reasons.last == .changed)
    #expect(!received.fixes.isEmpty)
  }

  @Test("the age of a fix is never wrong", arguments: ["nmea-start", "ublox-5hz", "heading-10hz", "unplugged"])
  func arrivals(name: String) throws {
    let arrivals = try Self.replay(name, silence: .zero).fixes.map(\.arrival)
    #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 < $1 })
  }
}
