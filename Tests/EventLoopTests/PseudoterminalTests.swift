import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("Pseudoterminals")
struct PseudoterminalTests {
  @Test("Bytes pass unchanged, both ways, without echo")
  func raw() throws {
    let terminal = try Pseudoterminal.open()
    let other = try openOther(terminal)
    // Bytes that a terminal that is not raw would change, answer or interpret.
    let bytes: [UInt8] = [3, 4, 10, 13, 17, 19, 26, 127, 0xB5, 0x62, 0]
    #expect(try terminal.master.write(bytes[...]) == .wrote(bytes.count))
    #expect(try readAll(other) == bytes)
    #expect(try other.write(bytes[...]) == .wrote(bytes.count))
    #expect(try readAll(terminal.master) == bytes)
  }

  @Test("Whether the other side is open is known from the start and after each opening and closing")
  func opened() throws {
    let terminal = try Pseudoterminal.open()
    var bytes: [UInt8] = []
    for _ in 0..<2 {
      #expect(try !terminal.isOpenedByOther())
      #expect(try terminal.master.read(into: &bytes, upTo: 10) == .endOfFile)
      let other = try openOther(terminal)
      #expect(try terminal.isOpenedByOther())
      #expect(try terminal.master.read(into: &bytes, upTo: 10) == .wouldBlock)
      other.close()
    }
  }

  @Test("The loop reports that the other side is closed, once if only changes are requested")
  func hangup() throws {
    let loop = try EventLoop()
    let terminal = try Pseudoterminal.open()
    let other = try openOther(terminal)
    var count = 0
    let watch = try loop.watch(terminal.master, for: [.read, .changesOnly]) {
      if $0.contains(.hangup) { count += 1 }
    }
    try settle(loop)
    #expect(count == 0)
    other.close()
    try loop.drive(until: "the hang-up") { count == 1 }
    try settle(loop)
    #expect(count == 1)
    withExtendedLifetime(watch) {}
  }

  @Test("Every user may open it")
  func mode() throws {
    let terminal = try Pseudoterminal.open()
    var status = stat()
    #expect(unsafe stat(terminal.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o666)
  }
}
