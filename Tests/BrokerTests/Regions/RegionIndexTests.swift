import Geodesy
import Positioning
import Testing

@testable import Broker

/// The index changes only the cost.
@Suite struct RegionIndexTests {
  /// The same rules, with every region compared with every fix.
  private struct Scan {
    var trackers: [(id: String, isForCrossing: Bool, tracker: RegionTracker)] = []
    var trail = Trail()

    /// The events, as text.
    mutating func fixed(_ fix: Fix) -> [String] {
      guard let (observation, way) = self.trail.extend(by: fix) else { return [] }
      var events: [String] = []
      for index in self.trackers.indices {
        let isForCrossing = self.trackers[index].isForCrossing
        let verdict = self.trackers[index].tracker.sighted(observation, on: way, isForCrossing: isForCrossing)
        switch verdict.decision {
        case .decided: events.append("\(self.trackers[index].id) \(self.trackers[index].tracker.state)")
        case .crossed(let passage): events.append("\(self.trackers[index].id) crossed \(passage.lowerBound.sinceBoot)")
        case nil: break
        }
      }
      return events
    }
  }

  /// A monitor and a scan of the same regions.
  private struct Pair {
    var monitor = RegionMonitor()
    var scan = Scan()
    private(set) var happened = 0
    private(set) var crossed = 0

    mutating func add(_ shape: RegionShape, isForCrossing: Bool) {
      let id = "\(self.scan.trackers.count)"
      var region = Region(id: id, shape: shape, initial: .always)
      if isForCrossing { region.notify.insert(.crossed) }
      #expect(self.monitor.add(region, of: 1, fix: nil, now: at(0)).isEmpty)
      self.scan.trackers.append((id, isForCrossing, RegionTracker(geometry: RegionGeometry(shape))))
    }

    /// Compares the results of both for a fix.
    mutating func fixed(_ fix: Fix) {
      let events = self.monitor.fixed(fix, now: fix.arrival).map { finding in
        finding.event.kind == .crossed
          ? "\(finding.region.id) crossed \(finding.event.passage?.lowerBound.sinceBoot ?? .zero)"
          : "\(finding.region.id) \(finding.event.state)"
      }
      let expected = self.scan.fixed(fix)
      #expect(events == expected)
      // The first fix decides nearly all.
      if expected.count < self.scan.trackers.count / 2 { self.happened += expected.count }
      self.crossed += expected.count { $0.contains("crossed") }
    }
  }

  @Test(
    "Random tracks anywhere on the globe have the same events as a scan of all",
    arguments: 1...8 as ClosedRange<UInt64>)
  func equalsScan(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let start = randomCoordinate(&random)
    var pair = Pair()
    for _ in 0..<150 {
      // Many small ones near the start, and as many large ones farther away.
      let size = 10 * Double(1 << Int.random(in: 0...12, using: &random))
      let center = destination(
        from: start, bearing: .random(in: 0..<360, using: &random),
        distance: .random(in: 1...max(3 * size, 2000), using: &random))
      pair.add(randomShape(around: center, size: size, &random), isForCrossing: random.oneIn(2))
    }
    self.drive(&pair, from: start, fixes: 150, &random)
    #expect(pair.happened > 30, "\(pair.happened)")
  }

  @Test("Ten thousand regions have the same events as a scan of all")
  func tenThousand() {
    var random = SeededRandom(seed: 10_000)
    let start = LocalPlane.place(0)
    var pair = Pair()
    for number in 0..<10_000 {
      let center = LocalPlane.place(Double(number % 100 - 50) * 100, Double(number / 100 - 50) * 100)
      let radius = Double.random(in: 10...400, using: &random)
      pair.add(.circle(center: center, radius: radius), isForCrossing: number % 3 == 0)
    }
    self.drive(&pair, from: start, fixes: 40, &random)
    #expect(pair.happened > 100 && pair.crossed > 2, "\(pair.happened), \(pair.crossed)")
  }

  /// A drive that turns and changes its speed, with fixes of all accuracies, near and far apart in time.
  private func drive(_ pair: inout Pair, from start: Coordinate, fixes: Int, _ random: inout SeededRandom) {
    var place = start
    var bearing = Double.random(in: 0..<360, using: &random)
    var seconds = 0.0
    for _ in 0..<fixes {
      let speed = Double.random(in: 0...40, using: &random)
      let step = random.oneIn(10) ? Double.random(in: 1...90, using: &random) : 1
      seconds += step
      bearing += Double.random(in: -30...30, using: &random)
      place = destination(from: place, bearing: bearing, distance: max(speed * step, 0.01))
      let accuracy: Double? = random.oneIn(20) ? nil : [1, 3, 7.4, 7.4, 20, 80, 370].randomElement(using: &random)
      pair.fixed(
        Fix(
          latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: accuracy,
          speed: random.oneIn(3) ? nil : speed, arrival: at(seconds)))
    }
  }

  @Test("A fix costs the same among ten regions and among a hundred thousand")
  func flat() {
    var lines = ["regions   examined (mean)  examined (most)   fix, us   scan of all, us   ratio"]
    var means: [Double] = []
    for count in [10, 100, 1000, 10_000, 100_000] {
      let cost = Self.cost(among: count)
      means.append(cost.mean)
      lines.append(
        column(Double(count), 7) + column(cost.mean, 18, 1) + column(Double(cost.most), 17)
          + column(cost.fix.microseconds, 10) + column(cost.scan.microseconds, 18)
          + column(cost.scan / cost.fix, 8, 1))
    }
    print(lines.joined(separator: "\n"))
    #expect((means.max() ?? .infinity) < 40)
    #expect((means.last ?? .infinity) < 2 * (means.dropFirst(2).first ?? 0) + 2)
  }

  private struct Cost {
    var mean = 0.0
    var most = 0
    var fix: Duration = .zero
    var scan: Duration = .zero
  }

  /// Regions as dense as in a town, on an area that grows with their number, and a drive through its middle.
  private static func cost(among count: Int) -> Cost {
    var random = SeededRandom(seed: UInt64(count))
    var monitor = RegionMonitor()
    let side = Double(count).squareRoot() * 500
    var shapes: [RegionGeometry] = []
    for number in 0..<count {
      let east = Double.random(in: -side / 2...side / 2, using: &random)
      let north = Double.random(in: -side / 2...side / 2, using: &random)
      let radius = 30 * Double(1 << Int.random(in: 0...4, using: &random))
      let shape = RegionShape.circle(center: LocalPlane.place(east, north), radius: radius)
      shapes.append(RegionGeometry(shape))
      // Known to be outside except around the start, because the first fix, which decides all, is not measured.
      let isNear = abs(east) < 2000 && abs(north) < 2000
      _ = monitor.add(
        Region(id: "\(number)", shape: shape, notify: [.enter, .exit, .crossed]), of: 1,
        restored: isNear ? nil : RegionSnapshot(state: .outside, since: at(-1)), fix: nil, now: at(0))
    }
    _ = monitor.fixed(fix(0, 0), now: at(0))
    let fixes = (1...100).map { fix(Double($0), Double($0) * 10, 30, speed: 10) }
    var cost = Cost()
    let clock = ContinuousClock()
    cost.fix =
      clock.measure {
        for fix in fixes {
          _ = monitor.fixed(fix, now: fix.arrival)
          cost.mean += Double(monitor.candidatesExamined) / Double(fixes.count)
          cost.most = max(cost.most, monitor.candidatesExamined)
        }
      } / fixes.count
    // A service without an index: the distance to each.
    let place = Place(LocalPlane.place(0))
    cost.scan = clock.measure { for shape in shapes { _ = shape.depth(of: place) } }
    return cost
  }
}

extension Duration {
  fileprivate var microseconds: Double { self / .microseconds(1) }
}
