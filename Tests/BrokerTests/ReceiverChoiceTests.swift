import Positioning
import Testing

@testable import Broker

/// How long a better receiver waits until it is chosen.
@Suite struct ReceiverChoiceTests {
  private func accepts(_ choice: inout ReceiverChoice, _ device: String, _ seconds: Double, accuracy: Double) -> Bool {
    var fix = fix(seconds, 0)
    fix.device = device
    fix.horizontalAccuracy = accuracy
    return choice.accepts(fix, configured: nil, isChosenSilent: false)
  }

  @Test("A receiver that was better before the chosen one was lost waits anew when that one is back")
  func rivalOfBefore() {
    var choice = ReceiverChoice()
    #expect(self.accepts(&choice, "a", 0, accuracy: 10))
    #expect(!self.accepts(&choice, "b", 0.5, accuracy: 5))
    #expect(self.accepts(&choice, "a", 1, accuracy: 10))
    choice.leave()
    #expect(self.accepts(&choice, "a", 4, accuracy: 10))
    #expect(!self.accepts(&choice, "b", 5, accuracy: 5))
    #expect(self.accepts(&choice, "a", 6, accuracy: 10))
    #expect(!self.accepts(&choice, "b", 7, accuracy: 5), "it is better for two seconds")
    #expect(self.accepts(&choice, "a", 9, accuracy: 10))
    #expect(self.accepts(&choice, "b", 10, accuracy: 5))
  }
}
