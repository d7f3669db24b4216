import Positioning

/// Worlds with programs on the client library, or with the bridge to MQTT.
extension Script {
  mutating func addLibraries(_ random: inout SeededRandom) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: self.addLibraryPrograms(&random)
    case 2: self.addBridge(&random)
    case _: break
    }
  }

  private mutating func addLibraryPrograms(_ random: inout SeededRandom) {
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let use: LibraryPlan.Use =
        if Bool.random(using: &random) {
          .asks(
            every: Self.seconds(20...1200, &random), accuracy: Self.one(of: [15, 100, 1000], &random),
            timeout: Self.one(of: [5, 30, 90], &random))
        } else {
          .follows(interval: Self.one(of: [1, 10, 60], &random))
        }
      self.libraryPrograms.append(
        LibraryPlan(
          "library\(number)", use, from: self.length * Double.random(in: 0...0.5, using: &random),
          to: self.length + Self.calm))
    }
    self.addFaults(
      [(.killed, 1...120), (.ended, 30...60), (.stopped, 2...300), (.denied(uid: 1005), 60...900)], &random)
  }

  private mutating func addBridge(_ random: inout SeededRandom) {
    let rests = self.track.rests(atLeast: .seconds(300))
    self.bridge = BridgePlan(
      regions: (0..<Int.random(in: 1...3, using: &random)).map { Self.region(number: $0, at: rests, &random) })
    self.addFaults(
      [(.mqttDown, 2...900), (.killed, 1...120), (.powerCut, 5...600), (.reduced(uid: BridgePlan.uid), 600...2000)],
      &random)
  }
}
