import Broker
import Geodesy
import Positioning
import ReceiverSimulator
import TestSupport

/// Changes of every kind, of few names and regions, so that they meet.
struct RandomChanges {
  /// The reason for unreadable decisions, in changes that have one.
  static let unread = "it is gone"

  private var random: SeededRandom
  /// Events' numbers rise, as in the broker.
  private var event: UInt64 = 0

  init(seed: UInt64) { self.random = SeededRandom(seed: seed) }

  /// Sometimes one of its changes is of a missing name.
  mutating func batch(over model: StoreModel) -> [StoreChange] {
    self.number(0...9) == 0 ? self.soundBatch(over: model) + [self.change()] : self.soundBatch(over: model)
  }

  /// All of its changes are of existing things.
  mutating func soundBatch(over model: StoreModel) -> [StoreChange] {
    var model = model
    var batch: [StoreChange] = []
    let count = self.number(1...8)
    while batch.count < count {
      let change = self.change()
      do throws(StoreModel.Missing) {
        try model.commit([change])
        batch.append(change)
      } catch {
        continue
      }
    }
    return batch
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }

  private mutating func change() -> StoreChange {
    let uid = UInt32(self.number(1000...1002))
    let id = DurableID(uid: uid, name: self.pick(["tracker", "home \u{1F3E0}", "", "x'; DROP TABLE names; --"]))
    switch self.number(0...26) {
    case 0...2: return .putName(id, user: "user\(uid)", wake: self.maybe { _ in "unit.service" })
    case 3: return .removeName(id)
    case 4, 5: return .putRegion(id, self.storedRegion())
    case 6: return .removeRegion(id, id: self.regionID())
    case 7: return .setRegionSnapshot(id, id: self.regionID(), self.snapshot())
    case 8: return .putPosition(id, self.position())
    case 9: return .removePosition(id)
    case 10: return .putVisits(id)
    case 11: return .acknowledge(id, through: self.event - min(self.event, UInt64(self.number(0...9))))
    case 12:
      let through = self.event - min(self.event, UInt64(self.number(0...9)))
      return .overflow(id, through: through, dropped: self.number(0...5))
    case 13: return .putVisitMemory(self.visitMemory())
    case 14: return .setFeed(id, self.maybe { $0.feed() })
    case 15: return .putDecision(uid, self.decision(of: "user\(uid)"))
    case 16: return .removeDecision(uid)
    case 17:
      let isOn = self.number(0...1) == 0
      return .putEnabled(isOn, unread: isOn ? nil : self.maybe { _ in Self.unread })
    case 18: return .putFuzzer(self.fuzzer())
    case 19: return .putWakeStart(self.wakeTarget(uid), self.moment())
    case 20: return .removeWakeStart(self.wakeTarget(uid))
    case 21: return .replaceName(self.storedName(id))
    case 22: return .resetRegions(id)
    case 23: return .putStoppedReceiver(self.maybe { $0.stoppedReceiver() })
    case 24: return .putReceiver(self.receiverMemory())
    case _:
      self.event += 1
      return .putEvent(id, self.durableEvent(self.event))
    }
  }

  private mutating func wakeTarget(_ uid: UInt32) -> WakeTarget {
    WakeTarget(uid: uid, unit: self.pick(["a.service", "b@\u{E9}.service"]))
  }

  private mutating func stoppedReceiver() -> StoppedReceiver {
    StoppedReceiver(
      rung: self.pick(PowerRung.allCases), device: self.maybe { _ in "/dev/tty\u{E9}'0" },
      unit: self.maybe { _ in "gps-on.service" }, offUnit: self.maybe { _ in "gps-off.service" })
  }

  private mutating func storedName(_ id: DurableID) -> StoredName {
    var name = StoredName(id: id, user: "user\(id.uid)", wake: self.maybe { _ in "unit.service" })
    name.feed = self.maybe { $0.feed() }
    for _ in 0..<self.number(0...2) {
      let stored = self.storedRegion()
      if !name.regions.contains(where: { $0.region.id == stored.region.id }) { name.regions.append(stored) }
    }
    name.position = self.maybe { $0.position() }
    name.hasVisits = self.number(0...1) == 0
    for _ in 0..<self.number(0...3) {
      self.event += 1
      name.events.append(self.durableEvent(self.event))
    }
    name.lastEvent = self.event
    name.dropped = self.number(0...3)
    return name
  }

  // MARK: Values

  mutating func storedRegion() -> StoredRegion {
    var region = Region(id: self.regionID(), shape: .circle(center: self.place(), radius: self.real(1...5000)))
    if self.number(0...1) == 0 { region.shape = .polygon(self.corners()) }
    region.notify = Set(RegionEventKind.allCases.filter { _ in self.number(0...1) == 0 })
    region.dwellTime = self.maybe { .seconds($0.real(0...1000)) }
    region.latency = self.maybe { .seconds($0.real(0...1000)) }
    region.expiresIn = self.maybe { .seconds($0.real(0...1e9)) }
    region.initial = self.pick(InitialReport.allCases)
    return StoredRegion(
      region: region, snapshot: self.snapshot(), reach: self.maybe { $0.real(1...100) }, cap: self.maybe { $0.cap() })
  }

  private mutating func cap() -> Cap {
    Cap(center: Vector(x: self.real(-1...1), y: self.real(-1...1), z: self.real(-1...1)), angle: self.real(0...1))
  }

  /// Near each other: no polygon spans half of the globe.
  private mutating func corners() -> [Coordinate] {
    let (latitude, longitude) = (self.real(-80...80), self.real(-170...170))
    return (0..<self.number(3...20)).map { _ in
      Coordinate(latitude: latitude + self.real(-5...5), longitude: longitude + self.real(-5...5))
    }
  }

  private mutating func snapshot() -> RegionSnapshot {
    RegionSnapshot(
      state: self.pick(RegionState.allCases), since: self.maybe { $0.moment() }, hasDwelled: self.number(0...1) == 0,
      expiry: self.maybe { $0.moment() })
  }

  mutating func position() -> StoredPosition {
    StoredPosition(
      parameters: self.parameters(), lastDelivered: self.maybe { $0.fix() }, expiry: self.maybe { $0.moment() },
      updates: self.number(0...9), isPaused: self.number(0...1) == 0, isAcquiring: self.number(0...1) == 0)
  }

  private mutating func parameters() -> SubscriptionParameters {
    SubscriptionParameters(
      mode: self.pick(SubscriptionParameters.Mode.allCases),
      accuracy: self.number(0...1) == 0 ? .level(self.pick(AccuracyLevel.allCases)) : .meters(self.real(1...500)),
      minInterval: .seconds(self.real(0...100)), minDistance: self.real(0...100),
      maxInterval: self.maybe { .seconds($0.real(0...100)) }, onlyBetterThan: self.maybe { $0.real(1...100) },
      maxUpdates: self.maybe { $0.number(1...9) }, duration: self.maybe { .seconds($0.real(1...1e6)) },
      deferredDistance: self.maybe { $0.real(1...100) }, deferredTimeout: self.maybe { .seconds($0.real(1...100)) },
      significantDistance: self.real(1...1000), significantInterval: .seconds(self.real(0...1000)),
      acquire: self.maybe {
        Acquisition(
          budget: .seconds($0.real(1...100)), desiredAccuracy: $0.real(1...100),
          acceptableAccuracy: $0.maybe { $0.real(1...100) })
      },
      activity: self.pick(Activity.allCases), autoPause: self.number(0...1) == 0,
      replay: self.pick(SubscriptionParameters.Replay.allCases), integrity: self.pick(IntegrityDemand.allCases))
  }

  private mutating func durableEvent(_ id: UInt64) -> DurableEvent {
    let content: DurableContent
    switch self.number(0...2) {
    case 0: content = .position(self.update())
    case 1: content = .region(self.regionEvent())
    case _:
      let place = self.place()
      content = .visit(
        Visit(
          id: self.number(0...9), latitude: place.latitude, longitude: place.longitude,
          horizontalAccuracy: self.real(1...100), arrival: self.maybe { $0.moment() },
          arrivalUncertainty: self.maybe { .milliseconds($0.number(0...900_000)) },
          departure: self.maybe { $0.moment() },
          departureUncertainty: self.maybe { .milliseconds($0.number(0...900_000)) }))
    }
    return DurableEvent(id: id, at: self.moment(), content: content)
  }

  private mutating func update() -> PositionUpdate {
    PositionUpdate(
      fix: self.maybe { $0.fix() }, fixes: (0..<self.number(0...3)).map { _ in self.fix() },
      achievedAccuracy: self.maybe { $0.pick(AccuracyLevel.allCases) },
      availability: self.pick(Availability.allCases), state: self.pick(SubscriptionState.allCases),
      reason: self.maybe { $0.pick(DeliveryReason.all) }, isReplay: self.number(0...1) == 0,
      isRepeat: self.number(0...1) == 0, dropped: self.number(0...3))
  }

  private mutating func regionEvent() -> RegionEvent {
    RegionEvent(
      id: self.regionID(), kind: self.pick(RegionEventKind.allCases),
      state: self.pick(RegionState.allCases), fix: self.maybe { $0.fix() }, isInferred: self.number(0...1) == 0,
      isInitial: self.number(0...1) == 0,
      probability: self.maybe { $0.real(0...1) },
      passage: self.maybe {
        let begin = $0.moment()
        return begin...begin + .seconds($0.number(0...1000))
      }, isReduced: self.number(0...1) == 0)
  }

  // MARK: Permission

  private mutating func feed() -> FixFeedKey {
    let shortest = Duration(secondsComponent: 0, attosecondsComponent: 1)
    return FixFeedKey(
      precision: self.pick(Precision.allCases),
      minInterval: self.pick([.zero, .seconds(60), .milliseconds(1500), shortest]))
  }

  private mutating func decision(of user: String) -> Decision {
    Decision(
      user: user, level: self.maybe { $0.pick(AuthorizationLevel.allCases) },
      precision: self.pick(Precision.allCases), at: self.moment())
  }

  private mutating func fuzzer() -> LocationFuzzer.Snapshot {
    LocationFuzzer.Snapshot(
      east: self.real(-2000...2000), north: self.real(-2000...2000), drifted: self.moment(),
      shown: self.maybe { $0.fix() })
  }

  private mutating func receiverMemory() -> ReceiverMemory {
    var memory = ReceiverMemory(collected: self.maybe { $0.moment() })
    for _ in 0..<self.number(0...20) {
      memory.starts.learn(.milliseconds(self.number(0...60_000)), after: self.pick(TimeToFirstFix.OffTime.allCases))
    }
    return memory
  }

  // MARK: Visits

  private mutating func visitMemory() -> VisitDetector.Snapshot {
    VisitDetector.Snapshot(
      lastVisit: self.number(0...9), hasMoved: self.number(0...1) == 0,
      stay: self.maybe {
        Stay(
          anchor: $0.meanPlace(), centre: $0.meanPlace(), start: $0.moment(), newest: $0.moment(),
          isArrivalKnown: $0.number(0...1) == 0,
          arrival: $0.maybe {
            MomentEstimate(
              best: $0.moment(), uncertainty: $0.maybe { .milliseconds($0.number(0...900_000)) })
          }, visit: $0.maybe { $0.number(1...9) })
      })
  }

  /// With sines that are whole numbers, because others have a rounding error.
  private mutating func meanPlace() -> MeanPlace {
    let place = Coordinate(latitude: 0, longitude: self.pick([0, 90]))
    return MeanPlace(place, weight: self.real(0.001...1), count: self.number(1...100))
  }

  mutating func fix() -> Fix {
    let place = self.place()
    var fix = Fix(
      latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: self.maybe { $0.real(0...100) },
      altitude: self.maybe { $0.real(-100...100) }, ellipsoidalAltitude: self.maybe { $0.real(-100...100) },
      verticalAccuracy: self.maybe { $0.real(0...100) }, speed: self.maybe { $0.real(0...100) },
      speedAccuracy: self.maybe { $0.real(0...100) }, course: self.maybe { $0.real(0...360) },
      courseAccuracy: self.maybe { $0.real(0...360) },
      time: self.maybe { Timestamp(seconds: 978_307_200 + $0.real(0...1e9)) }, arrival: self.moment(),
      mode: self.pick(Fix.Mode.allCases), status: self.pick(Fix.Status.allCases),
      device: self.maybe { _ in "/dev/ttyACM0" }, satellitesUsed: self.maybe { $0.number(0...40) },
      isReduced: self.number(0...1) == 0)
    fix.lag = self.maybe { .milliseconds($0.number(2001...60_000)) }
    fix.integrity = self.maybe { $0.pick(Integrity.allCases) }
    fix.integrityReasons = IntegrityReasons(IntegrityReason.allCases.filter { _ in self.number(0...3) == 0 })
    return fix
  }

  private mutating func regionID() -> String { self.pick(["home", "office", "\u{E9}cole"]) }

  private mutating func place() -> Coordinate {
    Coordinate(latitude: self.real(-90...90), longitude: self.real(-180...180))
  }

  /// Of this boot, or before it.
  private mutating func moment() -> Instant { at(self.real(-1000...9000)) }

  private mutating func real(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self.random) }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[self.number(0...values.count - 1)] }

  private mutating func maybe<Value>(_ make: (inout RandomChanges) -> Value) -> Value? {
    self.number(0...2) == 0 ? nil : make(&self)
  }
}
