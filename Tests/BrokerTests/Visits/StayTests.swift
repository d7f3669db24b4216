import Positioning
import Testing

@testable import Broker

/// Where a stay's border is.
@Suite struct StayTests {
  private func stay(visit: Int?) -> Stay {
    var stay = Stay(fix(0, 0), accuracy: 6, arrival: nil)
    stay.visit = visit
    return stay
  }

  @Test("The way leads from the border: 100 m around a possible visit, 200 m around a visit", arguments: [nil, 1])
  func way(visit: Int?) {
    let radius = visit == nil ? 100.0 : 200
    for distance in [0.0, 50, 150, 500] {
      #expect(abs(self.stay(visit: visit).way(to: LocalPlane.place(distance)) - (distance - radius)) < 1, "\(distance)")
    }
  }

  @Test("What is within a visit's border is the same place, and what is beyond it is another")
  func samePlace() {
    let others = [150.0, 250].map { Stay(fix(900, $0), accuracy: 6, arrival: nil) }
    #expect(others.map { self.stay(visit: 1).isAtSamePlace(as: $0) } == [true, false])
    #expect(others.map { self.stay(visit: nil).isAtSamePlace(as: $0) } == [false, false])
  }
}
