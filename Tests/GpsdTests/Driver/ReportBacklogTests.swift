import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("The backlog of reports")
struct ReportBacklogTests {
  private static func report(_ second: Int?, _ device: String = "a") -> GpsdMessage {
    .position(
      PositionReport(
        device: device, mode: .threeDimensional, time: second.map { Timestamp(seconds: Double($0)) },
        arrival: .at(0)))
  }

  private func taken(_ backlog: inout ReportBacklog) -> [GpsdMessage] {
    var messages: [GpsdMessage] = []
    while let message = backlog.next() { messages.append(message) }
    return messages
  }

  @Test("Messages come out in order, and sixteen epochs may wait")
  func order() {
    var backlog = ReportBacklog()
    // Three reports for each moment are one epoch.
    let messages = (0..<16).flatMap { (second: Int) -> [GpsdMessage] in
      [Self.report(second), .ignored, Self.report(second), Self.report(second)]
    }
    for message in messages { backlog.add(message) }
    #expect(backlog.passOverSuperseded() == 0)
    #expect(self.taken(&backlog) == messages)
    #expect(backlog.isEmpty)
    #expect(backlog.next() == nil)
  }

  @Test("Of more epochs the newest of each device counts, whole, with all messages about gpsd itself")
  func newest() {
    var backlog = ReportBacklog()
    let unplugged = GpsdMessage.deviceGone("b")
    let skies = [1.0, 2].map { GpsdMessage.sky(SkyReport(device: "a", hdop: $0, arrival: .at(0))) }
    let estimates = [18, 19].map {
      GpsdMessage.errorEstimate(
        ErrorEstimateReport(device: "a", time: Timestamp(seconds: Double($0)), arrival: .at(0)))
    }
    for second in 0..<20 {
      backlog.add(Self.report(second))
      backlog.add(Self.report(second))
      if second < 3 { backlog.add(Self.report(second, "b")) }
      if second == 5 { backlog.add(unplugged) }
    }
    for message in [skies[0], estimates[0], skies[1], estimates[1]] { backlog.add(message) }
    #expect(backlog.passOverSuperseded() == 19 + 2)
    #expect(
      self.taken(&backlog) == [
        Self.report(2, "b"), unplugged, Self.report(19), Self.report(19), skies[1], estimates[1],
      ])
  }

  @Test("What a receiver says of itself is kept once, however often it was said")
  func reception() {
    var backlog = ReportBacklog()
    let said = [Reception(spoofing: .affirmed), Reception(spoofing: .clear), Reception(jamming: .warning)].map {
      GpsdMessage.reception(ReceptionReport(reception: $0, arrival: .at(0)))
    }
    for second in 0..<20 {
      backlog.add(Self.report(second))
      backlog.add(said[second < 10 ? 0 : 1])
      backlog.add(said[2])
    }
    #expect(backlog.passOverSuperseded() == 19)
    #expect(self.taken(&backlog) == [said[0], Self.report(19), said[1], said[2]])
  }

  @Test("Without a time each report is an epoch")
  func noTime() {
    var backlog = ReportBacklog()
    for _ in 0..<17 { backlog.add(Self.report(nil)) }
    #expect(backlog.passOverSuperseded() == 16)
    #expect(self.taken(&backlog) == [Self.report(nil)])
  }

  @Test("Messages that were taken do not count any more")
  func taken() {
    var backlog = ReportBacklog()
    for second in 0..<20 { backlog.add(Self.report(second)) }
    for _ in 0..<10 { _ = backlog.next() }
    #expect(backlog.passOverSuperseded() == 0)
    #expect(self.taken(&backlog).count == 10)
  }
}
