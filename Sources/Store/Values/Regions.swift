import Broker
import JSONRPC
import Positioning

extension StoredRegion: StoredValue {
  static let table = "regions"
  static let kind = "region"

  static let steps = [
    1: """
    -- Keys rise in the order in which regions were added.
    CREATE TABLE regions (
      key INTEGER PRIMARY KEY,
      name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
      id TEXT NOT NULL,
      body TEXT NOT NULL,
      standing TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks,
      UNIQUE (name, id)
    ) STRICT;
    """
  ]

  static func read(_ reader: inout StateReader) throws(StoreError) {
    try reader.database.rows("SELECT key, body, clock, standing, name, id FROM regions ORDER BY key") { row in
      guard let name = row.integer(4) else { return }
      let owner = reader.owner(name, id: row.text(5))
      let stored: Self? = reader.value(row, of: owner) { stored, clock throws(UnreadableRecord) in
        stored.snapshot = try RegionSnapshot(body: row.text(3) ?? "")
        stored.snapshot.map(by: clock, expiresIn: stored.region.expiresIn)
      }
      if let stored { reader.names[name]?.regions.append(stored) }
    }
  }
}

extension StoreWriter {
  mutating func putRegion(_ stored: StoredRegion, of id: DurableID) throws(StoreError) {
    let name = try self.index.name(id)
    let (body, snapshot) = (stored.body, stored.snapshot.body)
    if let key = name.regions[stored.region.id] {
      try self.database.run(
        "UPDATE regions SET body = ?, standing = ?, clock = ? WHERE key = ?", body, snapshot, self.clock, key)
    } else {
      try self.database.run(
        "INSERT INTO regions (name, id, body, standing, clock) VALUES (?, ?, ?, ?, ?)", name.key, stored.region.id,
        body, snapshot, self.clock)
      self.index.names[id]?.regions[stored.region.id] = self.database.lastInsertedKey
    }
  }

  mutating func removeRegion(_ region: String, of id: DurableID) throws(StoreError) {
    _ = try self.index.name(id)
    guard let key = self.index.names[id]?.regions.removeValue(forKey: region) else { return }
    try self.database.run("DELETE FROM regions WHERE key = ?", key)
  }

  func setSnapshot(
    _ snapshot: RegionSnapshot, ofRegion region: String, of id: DurableID
  ) throws(StoreError) {
    guard let key = try self.index.name(id).regions[region] else {
      throw self.index.lacks("region \(region)", of: id)
    }
    try self.database.run("UPDATE regions SET standing = ?, clock = ? WHERE key = ?", snapshot.body, self.clock, key)
  }

  /// The end of a region counts from the boot of its clock, which is kept.
  func resetRegions(of id: DurableID) throws(StoreError) {
    var snapshots: [(key: Int64, text: String)] = []
    try self.database.rows("SELECT key, standing FROM regions WHERE name = ?", self.index.key(id)) { row in
      if let key = row.integer(0) { snapshots.append((key, row.text(1) ?? "")) }
    }
    for (key, text) in snapshots {
      var expiry: Instant?
      do throws(UnreadableRecord) {
        expiry = try RegionSnapshot(body: text).expiry
      } catch {
        // Then nothing is known of its end either.
      }
      try self.database.run("UPDATE regions SET standing = ? WHERE key = ?", RegionSnapshot(expiry: expiry).body, key)
    }
  }
}

extension RegionSnapshot: Record {
  static let record = ObjectCodec<RegionSnapshot>(blank: RegionSnapshot()) {
    Field.optional("expiry", \.expiry, .moment)
    Field.defaulted("hasDwelled", \.hasDwelled, .boolean)
    Field.optional("since", \.since, .moment)
    Field.required("state", \.state, .word)
  }

  /// - Parameter expiresIn: The duration of the region.
  mutating func map(by clock: ClockMapping, expiresIn: Duration?) {
    self.since = self.since.map { clock.past($0) }
    self.expiry = self.expiry.map { clock.future($0, within: expiresIn) }
  }
}

/// A region without its snapshot, which is in a column.
extension StoredRegion: Record {
  static let record = ObjectCodec<StoredRegion>(
    blank: StoredRegion(region: Region(id: "", shape: .polygon([])), snapshot: RegionSnapshot())
  ) {
    // Older versions stored no cap and reach of a polygon; they are computed again.
    Field.optional("cap", \.capNumbers, .array(of: .number))
    Field.optional("circle", \.region.circle, Circle.record.codec)
    Field.optional("corners", \.region.corners, .packedNumbers)
    Field.optional("dwellTime", \.region.dwellTime, .duration)
    Field.optional("expiresIn", \.region.expiresIn, .duration)
    Field.required("id", \.region.id, .string)
    Field.required("initial", \.region.initial, .word)
    Field.optional("latency", \.region.latency, .duration)
    Field.required("notify", \.region.orderedNotify, .array(of: .word))
    // The corners as older versions stored them: latitude and longitude in turn.
    Field.optional("polygon", \.region.olderCorners, .array(of: .number))
    Field.optional("reach", \.reach, .number)
  } check: { (stored: inout StoredRegion, _: JSONView) throws(CodingFailure) in
    if stored.region.shape == .polygon([]) {
      throw CodingFailure(.described("a region that is no circle and no polygon"))
    }
    do throws(InvalidRegion) {
      try stored.region.checkUsable(cap: stored.cap)
    } catch {
      throw CodingFailure(.described("a region whose \(error.parameter) is not \(error.expected)"))
    }
  }

  /// The centre of the cap, a unit vector, and the angle to its rim. Another count of numbers is no cap.
  private var capNumbers: [Double]? {
    get { self.cap.map { [$0.center.x, $0.center.y, $0.center.z, $0.angle] } }
    set {
      guard let numbers = newValue, numbers.count == 4 else { return }
      self.cap = Cap(center: Vector(x: numbers[0], y: numbers[1], z: numbers[2]), angle: numbers[3])
    }
  }
}

extension Region {
  fileprivate var circle: Circle? {
    get { if case .circle(let center, let radius) = self.shape { Circle(center: center, radius: radius) } else { nil } }
    set { if let newValue { self.shape = .circle(center: newValue.center, radius: newValue.radius) } }
  }

  /// The latitudes and longitudes in turn.
  fileprivate var corners: [Double]? {
    get { if case .polygon(let corners) = self.shape { corners.flatMap { [$0.latitude, $0.longitude] } } else { nil } }
    set {
      guard let numbers = newValue, numbers.count.isMultiple(of: 2), self.circle == nil else { return }
      self.shape = .polygon(
        stride(from: 0, to: numbers.count, by: 2).map {
          Coordinate(latitude: numbers[$0], longitude: numbers[$0 + 1])
        })
    }
  }

  /// Is only read.
  fileprivate var olderCorners: [Double]? {
    get { nil }
    set { if self.shape == .polygon([]) { self.corners = newValue } }
  }

  fileprivate var orderedNotify: [RegionEventKind] {
    get { RegionEventKind.allCases.filter { self.notify.contains($0) } }
    set { self.notify = Set(newValue) }
  }
}

private struct Circle: Record {
  var center = Coordinate(latitude: 0, longitude: 0)
  var radius = 0.0

  static let record = ObjectCodec<Circle>(blank: Circle()) {
    Field.required("latitude", \.center.latitude, .number)
    Field.required("longitude", \.center.longitude, .number)
    Field.required("radius", \.radius, .number)
  }
}
