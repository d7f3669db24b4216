import PositionClient
import Positioning
import TestSupport
import Testing

@testable import MQTTBridge

/// When the bridge connects, takes events, and acknowledges them.
@Suite struct MachineTests {
  @Test func `a day of events with the MQTT broker away for an hour: none lost, none doubled`() {
    var world = World()
    world.start()
    for minute in 0..<1440 {
      world.broker.isThere = !(600..<660).contains(minute)
      if minute == 600 {
        // It goes while it has taken everything.
        world.confirmAll()
        world.breakConnection()
      }
      world.occur()
      world.pass(.seconds(30))
      world.confirmAll()
      world.pass(.seconds(30))
    }
    world.confirmAll()
    #expect(world.violations.isEmpty, "\(world.violations)")
    #expect(world.arrivals.keys.sorted() == Array(1...1440))
    #expect(world.arrivals.values.allSatisfy { $0 == 1 })
    #expect(world.inbox.events.isEmpty && world.inbox.acknowledged == 1440)
    // The outage is reported once for each reason, and its end.
    #expect(world.log.count == 4, "\(world.log)")
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `no event is lost or acknowledged too early, whatever breaks`(seed: UInt64) {
    var world = World(seed: seed)
    var random = SeededRandom(seed: seed &+ 1000)
    world.start()
    world.broker.breaks = 0.05
    for _ in 0..<400 {
      switch Int.random(in: 0..<14, using: &random) {
      case 0: world.breakConnection()
      case 1: world.broker.isThere = Bool.random(using: &random)
      case 2: world.handle(.sessionFailed("positiond is gone"))
      case 12: world.losePositiond()
      case 13: world.findPositiond()
      case 3...6: world.occur(fixes: Int.random(in: 0...5, using: &random))
      case 7...9: world.confirmAll()
      default: world.pass(.milliseconds(Int.random(in: 1...90_000, using: &random)))
      }
    }
    world.broker.breaks = 0
    world.broker.isThere = true
    world.findPositiond()
    for _ in 0..<200 {
      world.pass(.seconds(30))
      world.confirmAll()
    }
    #expect(world.violations.isEmpty, "\(world.violations)")
    #expect(world.inbox.events.isEmpty, "\(world.inbox.events.keys.sorted())")
    #expect(world.machine.unconfirmed == 0)
    #expect(world.inbox.lastEvent > 50)
    #expect(world.arrivals.count > 30)
  }

  @Test func `events are in order, and an event with several fixes is acknowledged after the last of them`() {
    var world = World()
    world.start()
    world.confirmAll()
    world.occur(fixes: 30)
    #expect(world.inbox.acknowledged == 0)
    world.confirmAll()
    #expect(world.inbox.acknowledged == 1)
    #expect(world.broker.arrived.compactMap { World.fix(of: $0) } == Array(100..<130))
  }

  @Test(arguments: [Precision.reduced, nil])
  func `what may not be known any more is removed from the MQTT broker, and what waited for it is never published`(
    precision: Precision?
  ) {
    var settings = BridgeSettings()
    settings.homeAssistant.isEnabled = true
    var world = World(settings)
    world.start()
    world.occur()
    world.confirmAll()
    #expect(world.kept.count == 2)
    world.occur(fixes: 60)
    let published = world.broker.arrived.count
    world.permit(precision)
    world.confirmAll()
    // Besides those that were on their way already, only the removals.
    let later = world.broker.arrived[published...]
    #expect(later.map(\.payload) == [[], Array("{}".utf8)], "\(later)")
    #expect(world.kept.values.map { $0 } == [Array("{}".utf8)])
    #expect(world.machine.unconfirmed == 0 && world.violations.isEmpty, "\(world.violations)")
  }

  @Test func `a reduced location stays at the MQTT broker when the same is permitted again, on another connection too`()
  {
    var settings = BridgeSettings()
    settings.homeAssistant.isEnabled = true
    var world = World(settings)
    world.start()
    world.confirmAll()
    world.permit(.reduced)
    world.confirmAll()
    var reduced = World.fix(7, at: world.now)
    reduced.isReduced = true
    let update = PositionUpdate(fix: reduced, availability: .accuracyLimited)
    world.handle(.happened(DurableEvent(content: .position(update))))
    world.confirmAll()
    #expect(world.kept.count == 2)
    world.permit(.reduced)
    world.breakConnection()
    world.pass(.seconds(60))
    world.confirmAll()
    #expect(world.kept.count == 2 && !world.kept.values.contains(Array("{}".utf8)))
  }

  @Test func `what an earlier run published is removed as well, however often the connection breaks meanwhile`() {
    var world = World()
    world.broker.arrived = [
      MQTTMessage(topic: "owntracks/positiond/boat", payload: Array("{}".utf8), isRetained: true)
    ]
    world.permit(nil)
    world.start()
    // It arrives or not, and nobody knows.
    world.breakConnection()
    world.broker.arrived.removeLast(world.broker.arrived.count - 1)
    world.pass(.seconds(60))
    world.confirmAll()
    #expect(world.kept.isEmpty && world.broker.arrived.count > 1)
    let count = world.broker.arrived.count { $0.payload.isEmpty }
    world.breakConnection()
    world.pass(.seconds(60))
    #expect(world.broker.arrived.count { $0.payload.isEmpty } == count)
  }

  @Test func `while the MQTT broker is away the bridge takes no event and holds no message`() {
    var world = World()
    world.broker.isThere = false
    world.start()
    for _ in 0..<5000 { world.occur(fixes: 3) }
    #expect(!world.inbox.isAttached)
    #expect(world.machine.unconfirmed == 0)
    #expect(world.inbox.events.count == 5000)
  }

  @Test func `attempts become rarer, up to one a minute, and begin again after a connection that lasted`() {
    var world = World()
    world.broker.isThere = false
    world.start()
    var waits: [Duration] = []
    for _ in 0..<30 {
      guard let deadline = world.deadline else { break }
      waits.append(deadline - world.now.instant)
      world.pass(deadline - world.now.instant)
    }
    #expect(waits.count == 30)
    #expect(waits.allSatisfy { $0 <= .seconds(60) }, "\(waits)")
    #expect(waits.suffix(10).allSatisfy { $0 >= .seconds(30) }, "\(waits)")
    #expect(waits[0] < .seconds(1))
  }

  @Test func `a broker that confirms nothing for a minute is dropped, and the events come again`() {
    var world = World()
    world.start()
    world.confirmAll()
    world.occur()
    #expect(world.arrivals == [1: 1])
    world.pass(.seconds(61))
    #expect(world.log.contains { $0.contains("did not confirm a message within 60 s") }, "\(world.log)")
    world.pass(.seconds(5))
    world.confirmAll()
    #expect(world.arrivals == [1: 2])
    #expect(world.inbox.acknowledged == 1)
    #expect(world.violations.isEmpty, "\(world.violations)")
  }

  @Test func `positiond that has lost its store begins its numbers again, and nothing new is acknowledged by the old`()
  {
    var world = World()
    world.start()
    for _ in 0..<9 { world.occur() }
    world.confirmAll()
    #expect(world.inbox.acknowledged == 9)
    world.loseStore()
    world.breakConnection()
    world.occur()
    world.pass(.seconds(10))
    world.confirmAll()
    #expect(world.violations.isEmpty, "\(world.violations)")
    #expect(world.inbox.acknowledged == 1)
  }

  @Test func `messages on their way acknowledge no event of a positiond that has lost its store meanwhile`() {
    var world = World()
    world.start()
    for _ in 0..<9 { world.occur() }
    world.losePositiond()
    world.loseStore()
    for _ in 0..<3 { world.occur() }
    world.findPositiond()
    // The nine of the old store arrive first, and two of the new one wait.
    for _ in 0..<11 { world.confirmNext() }
    #expect(world.inbox.acknowledged == 1, "\(world.inbox)")
    world.confirmAll()
    #expect(world.violations.isEmpty, "\(world.violations)")
    #expect(world.inbox.acknowledged == 3 && world.inbox.events.isEmpty)
    let all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 2001, 2002, 2003]
    #expect(world.arrivals == Dictionary(uniqueKeysWithValues: all.map { ($0, 1) }))
  }

  @Test func `an event that is delivered twice is published once, whether it is on its way or taken`() {
    var world = World()
    world.start()
    for _ in 0..<30 { world.occur() }
    let events = world.inbox.events
    for number in [30, 1, 25] { world.handle(.happened(DurableEvent(id: number, content: events[number]))) }
    world.confirmAll()
    #expect(world.inbox.acknowledged == 30 && world.inbox.events.isEmpty)
    for number in [30, 7] { world.handle(.happened(DurableEvent(id: number, content: events[number]))) }
    #expect(world.machine.unconfirmed == 0)
    #expect(world.arrivals == Dictionary(uniqueKeysWithValues: (1...30).map { ($0, 1) }))
    // What follows is not held up, and an old number acknowledges nothing.
    world.occur()
    world.confirmAll()
    #expect(world.inbox.acknowledged == 31 && world.violations.isEmpty, "\(world.violations)")
  }

  @Test func `while positiond is away nothing is acknowledged, and afterwards all that was confirmed meanwhile`() {
    var world = World()
    world.start()
    for _ in 0..<5 { world.occur() }
    world.losePositiond()
    world.confirmAll()
    #expect(world.inbox.acknowledged == 0)
    world.findPositiond()
    #expect(world.inbox.acknowledged == 5)
    #expect(world.violations.isEmpty, "\(world.violations)")
    #expect(world.arrivals == Dictionary(uniqueKeysWithValues: (1...5).map { ($0, 1) }))
  }

  @Test func `the connection is announced first, and a status is published when it differs`() throws {
    var world = World()
    world.start()
    let status = try Samples.decoded(Samples.status, as: DaemonStatus.self)
    world.handle(.status(status))
    world.handle(.status(status))
    world.confirmAll()
    let topics = world.broker.arrived.map(\.topic)
    #expect(topics == ["positiond/boat/connection", "positiond/boat/status"])
    #expect(world.broker.arrived[0].payload == Array("online".utf8))
    // A new connection publishes both again, in case the MQTT broker has forgotten.
    world.breakConnection()
    world.pass(.seconds(5))
    #expect(world.broker.arrived.count == 4)
  }

  @Test func `dropped events are reported in words`() {
    var world = World()
    world.start()
    world.handle(.happened(DurableEvent(dropped: 40, reason: .overflow)))
    #expect(world.log.contains { $0.hasPrefix("40 events were dropped") && $0.contains("max-inbox-events=") })
  }
}
