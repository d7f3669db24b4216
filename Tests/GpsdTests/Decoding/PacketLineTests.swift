import Positioning
import ReceiverPorts
import Testing
import UBX

@testable import Gpsd

@Suite("The receiver's own messages, in gpsd's hexadecimal lines")
struct PacketLineTests {
  /// Messages of real receivers, from gpsd's recorded logs.
  static let recorded: [(line: String, said: Reception)] = [
    ("b5620103100018de2d0e05dd0008fc3a0000cee201001674", Reception(spoofing: .clear)),
    (
      "b5620a093c0000f401000000000000000100eff700005c00240902010184ffeb01000a0b0c0d0e0f01000203ff10ff1213363511ef5e00000000"
        + "80f7000000000000eb7b", Reception(jammingIndicator: 17, antenna: .connected)
    ),
    (
      "b5620a38340000020000000002010000000000000000410032131b0ca9fe9c0000000100020100000000000000002f0074100d0f990b9600000078"
        + "6d", Reception(jammingIndicator: 27, antenna: .connected)
    ),
  ]

  private static func line(_ messageClass: UInt8, _ identifier: UInt8, _ payload: [UInt8]) -> String {
    UBXFrame(messageClass, identifier, payload: payload).bytes
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private static func said(_ line: String) -> Reception? {
    guard case .reception(let report) = GpsdDecoder().decode(line, at: 7) else { return nil }
    #expect(report.device == nil && report.arrival == .at(7))
    return report.reception
  }

  @Test("The messages of recorded receivers are read, in digits of either case")
  func real() {
    for (line, said) in Self.recorded {
      #expect(Self.said(line) == said)
      #expect(Self.said(line.uppercased()) == said)
    }
  }

  @Test("NAV-STATUS has the spoofing state in bits 3 and 4 of flags2", arguments: 0...255 as ClosedRange<UInt8>)
  func status(flags: UInt8) {
    var payload = [UInt8](repeating: 0, count: 16)
    payload[7] = flags
    let state = Reception.Spoofing(rawValue: flags >> 3 & 3)
    #expect(Self.said(Self.line(0x01, 0x03, payload)) == state.map { Reception(spoofing: $0) })
  }

  @Test("MON-HW has the jamming state, the indicator and the antenna, in the older form too", arguments: [60, 68])
  func hardware(length: Int) {
    var payload = [UInt8](repeating: 0, count: length)
    payload[20] = 4
    payload[22] = 0b1011
    payload[length - 15] = 201
    #expect(
      Self.said(Self.line(0x0A, 0x09, payload)) == Reception(jamming: .warning, jammingIndicator: 201, antenna: .open))
    #expect(Self.said(Self.line(0x0A, 0x09, payload + [0])) == nil)
  }

  @Test("Of MON-RF's bands the worst counts, and their number must fit the length")
  func radio() {
    var payload = [UInt8](repeating: 0, count: 4 + 2 * 24)
    payload[1] = 2
    (payload[5], payload[6], payload[20]) = (1, 3, 90)
    (payload[29], payload[30], payload[44]) = (3, 2, 7)
    #expect(
      Self.said(Self.line(0x0A, 0x38, payload)) == Reception(jamming: .critical, jammingIndicator: 90, antenna: .short))
    for count in [0, 1, 3, 255] as [UInt8] {
      payload[1] = count
      #expect(Self.said(Self.line(0x0A, 0x38, payload)) == nil)
    }
    #expect(Self.said(Self.line(0x0A, 0x38, [0, 0, 0, 0])) == nil)
    #expect(Self.said(Self.line(0x0A, 0x38, [])) == nil)
  }

  @Test("SEC-SIG says what the receiver looks for, in both versions; a state of what it does not look for is none")
  func signalSecurity() {
    func said(_ payload: [UInt8]) -> Reception? { Self.said(Self.line(0x27, 0x09, payload)) }
    #expect(said([1, 0, 0, 0, 0b101, 0, 0, 0, 0b111, 0, 0, 0]) == Reception(spoofing: .affirmed, jamming: .warning))
    #expect(said([1, 0, 0, 0, 0b100, 0, 0, 0, 0b101, 0, 0, 0]) == Reception(spoofing: .indicated))
    #expect(said([2, 0b010_1_01_1, 0, 0]) == Reception(spoofing: .indicated, jamming: .clear))
    #expect(said([2, 0b001_1_10_1, 0, 1, 0, 0, 0, 1]) == Reception(spoofing: .clear, jamming: .warning))
    #expect(said([2, 0b011_0_11_0, 0, 0]) == nil)
    for wrong in [[], [1], [2], [2, 255, 0, 1], [3, 255, 0, 0], [1, 0, 0, 0, 255, 0, 0, 0, 255]] as [[UInt8]] {
      #expect(said(wrong) == nil)
    }
    #expect(said([2, 0b001_1_10_1, 0, 255] + Array(repeating: 0, count: 4 * 255)) != nil)
  }

  @Test("A line that is damaged anywhere is dropped, and so is every other message and sentence")
  func dropped() {
    let (line, _) = Self.recorded[0]
    for index in line.indices {
      var damaged = line
      damaged.replaceSubrange(index...index, with: line[index] == "0" ? "8" : "0")
      #expect(Self.said(damaged) == nil)
      damaged.replaceSubrange(index...index, with: "g")
      #expect(Self.said(damaged) == nil)
    }
    for length in 0..<line.utf8.count { #expect(Self.said(String(line.prefix(length))) == nil) }
    for other in [
      line + "00", line + line, " " + line, "$GPGGA,,,,,,0,,,,,,,,*66", "!AIVDM,1,1,,A,x,0*00",
      Self.line(0x01, 0x07, Array(repeating: 0, count: 92)), Self.line(0x0A, 0x38, Array(repeating: 255, count: 4000)),
      String(repeating: "b5", count: 30_000),
    ] {
      #expect(GpsdDecoder().decode(other) == .invalid)
    }
  }
}
