import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("Each failure of gpsd has its own state, and is followed by another attempt")
struct GpsdFailureTests {
  @Test("A refused connection is reported once, with the system's error")
  func refused() {
    var run = SessionRun()
    run.start()
    run.fail("Connection refused")
    #expect(run.takeSources() == [.opening, .gpsdDown(.unreachable("Connection refused"))])
    for _ in 0..<20 {
      run.passToDeadline()
      #expect(run.isOpen)
      run.fail("Connection refused")
    }
    #expect(run.takeSources() == [])
  }

  @Test("localhost is tried on IPv4, then on IPv6; the first failure is reported")
  func localhost() {
    var run = SessionRun(host: "localhost")
    run.start()
    run.fail("Connection refused")
    #expect(run.takeActions().last == .connect(address: "::1"))
    run.fail("Address family not supported by protocol")
    #expect(run.takeSources() == [.gpsdDown(.unreachable("Connection refused"))])
    run.pass(1)
    #expect(run.takeActions().contains(.connect(address: "127.0.0.1")))
  }

  @Test("A connection attempt ends after 5 s")
  func connectDeadline() {
    var run = SessionRun()
    run.start()
    run.pass(4.9)
    #expect(run.takeSources() == [.opening])
    run.pass(0.2)
    #expect(run.takeActions().contains(.close))
    #expect(!run.isOpen)
    run.pass(0.5)
    #expect(run.isOpen)
  }

  @Test("A mute gpsd is reported after 3 s, waited for, and read when it sends something")
  func muteThenSpeaks() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.pass(2.9)
    #expect(run.takeSources() == [.opening])
    run.pass(0.2)
    #expect(run.takeSources() == [.gpsdDown(.mute)])
    run.pass(3)
    #expect(run.isOpen)
    run.receive(.banner)
    #expect(run.takeSources() == [.opening])
  }

  @Test("A gpsd that stays mute is reconnected after 30 s, and sent nothing")
  func mute() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.pass(29.9)
    #expect(run.isOpen)
    run.pass(0.2)
    #expect(!run.isOpen)
    run.pass(0.5)
    #expect(run.isOpen)
    #expect(run.takeSent().isEmpty)
  }

  @Test("A connection that is closed without a byte means that gpsd is full")
  func full() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.end(.closedUnspoken)
    #expect(run.takeSources() == [.opening, .gpsdFull])
    run.pass(1)
    run.connected()
    run.end(.closedUnspoken)
    #expect(run.takeSources() == [])
    run.pass(2)
    run.connected()
    run.receive(.banner)
    #expect(run.takeSources() == [.opening])
  }

  @Test(
    "A connection that broke before the banner is not a full gpsd",
    arguments: [ConnectionEnd.closed, .failed("Connection reset by peer")])
  func brokeEarly(end: ConnectionEnd) {
    var run = SessionRun()
    run.start()
    run.connected()
    run.end(end)
    #expect(run.takeSources() == [.opening, .gpsdDown(.closed(end.description))])
  }

  @Test(
    "A first line that is not gpsd's banner means another program",
    arguments: [GpsdMessage.invalid, .ignored, .report(), .error("x"), .version(release: "9.0", major: 4, minor: 0)])
  func notGpsd(message: GpsdMessage) {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(message)
    guard case .gpsdDown(.notGpsd) = run.takeSources().last else {
      Issue.record("not reported")
      return
    }
    #expect(!run.isOpen)
    #expect(run.takeSent().isEmpty)
    run.pass(30)
    #expect(run.isOpen)
  }

  @Test("A positiond in gpsd's place is refused before anything is asked of it, and the reason names the key")
  func ownDoor() throws {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(GpsdDecoder().decode(String(decoding: GpsdServing.banner.dropLast(2), as: UTF8.self)))
    guard case .gpsdDown(.notGpsd(let words)) = run.takeSources().last else {
      Issue.record("not reported")
      return
    }
    #expect(words.contains("positiond") && words.contains("port= in [gpsd]"))
    #expect(!run.isOpen)
    #expect(run.takeSent().isEmpty)
  }

  @Test("A banner without the protocol's number is refused in words")
  func noProtocol() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(GpsdDecoder().decode(#"{"class":"VERSION","release":"3.22"}"#))
    #expect(
      run.takeSources().last
        == .gpsdDown(.notGpsd("gpsd 3.22 at 127.0.0.1 port 2947 does not say which protocol it speaks")))
    #expect(!run.isOpen)
  }

  @Test("gpsd may take 30 s to open a device; after that it is mute")
  func watchDeadline() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner)
    run.pass(29.9)
    #expect(run.takeSources() == [.opening])
    #expect(run.isOpen)
    run.pass(0.2)
    #expect(run.takeSources() == [.gpsdDown(.mute)])
    #expect(!run.isOpen)
  }

  @Test("gpsd's end is reported at once, and the next attempt follows in half a second")
  func died() {
    var run = SessionRun.streaming()
    run.end(.failed("Connection reset by peer"))
    #expect(run.takeSources() == [.gpsdDown(.closed("Connection reset by peer"))])
    run.pass(0.5)
    #expect(run.isOpen)
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"), .watch(device: nil), .report())
    #expect(run.takeSources() == [.opening, .streaming])
    // It had streamed again: after the next break the first attempt is as soon.
    run.end(.closed)
    run.pass(0.5)
    #expect(run.isOpen)
  }

  @Test("The waits double from half a second to half a minute, with jitter", arguments: [1, 2, 99] as [UInt64])
  func backoff(seed: UInt64) {
    var run = SessionRun(jitterSeed: seed)
    run.start()
    var delays: [Double] = []
    for _ in 0..<10 {
      run.fail("refused")
      delays.append(run.passToDeadline())
    }
    let steps = [0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30]
    for (delay, step) in zip(delays, steps) {
      #expect(delay >= 0.75 * step && delay <= step)
    }
    #expect(Set(delays.suffix(4)).count == 4)
  }

  @Test("Two programs do not retry at the same time")
  func jitter() {
    let delays = ([1, 2] as [UInt64]).map { seed in
      var run = SessionRun(jitterSeed: seed)
      run.start()
      run.fail("refused")
      return run.passToDeadline()
    }
    #expect(delays[0] != delays[1])
  }

  @Test("A new start does not wait for the old delay")
  func freshStart() {
    var run = SessionRun()
    run.start()
    for _ in 0..<8 {
      run.fail("refused")
      run.passToDeadline()
    }
    run.stop()
    run.start()
    run.fail("refused")
    #expect(((run.armed ?? run.now) - run.now).seconds <= 0.5)
  }
}
