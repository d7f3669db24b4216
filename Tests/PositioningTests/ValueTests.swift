import Positioning
import Testing

@Suite struct ValueTests {
  @Test("The 95 % radius is the 68 % radius divided by 0.62, and unknown if that is")
  func radius95() {
    var fix = Fix(latitude: 0, longitude: 0, horizontalAccuracy: 6.2, arrival: Instant(sinceBoot: .zero))
    #expect(abs((fix.horizontalAccuracy95 ?? 0) - 10) < 1e-9)
    fix.horizontalAccuracy = nil
    #expect(fix.horizontalAccuracy95 == nil)
  }

  @Test("Age counts from arrival")
  func age() {
    let fix = Fix(latitude: 0, longitude: 0, arrival: Instant(sinceBoot: .seconds(10)))
    #expect(fix.age(at: Instant(sinceBoot: .milliseconds(12_500))).seconds == 2.5)
  }

  @Test(
    "Equal activities merge to themselves, others to `other`",
    arguments: [
      ([], .other), ([.fitness], .fitness), ([.fitness, .fitness], .fitness), ([.fitness, .automotive], .other),
      ([.fitness, .automotive, .fitness], .other),
    ] as [([Activity], Activity)])
  func activities(asked: [Activity], merged: Activity) {
    #expect(Activity.merged(asked) == merged)
  }

  @Test("Availability is ordered as documented")
  func availability() {
    let order: [Availability] = [
      .available, .untrusted, .searching, .stale, .lost, .accuracyLimited, .poweredDown, .receiverMissing, .gpsdFull,
      .gpsdDown,
      .denied,
    ]
    #expect(Availability.allCases.sorted() == order)
  }
}
