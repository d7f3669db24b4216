/// A law of two worlds that differ in one thing only.
package protocol Pair {
  /// The sentence that it holds, and the document in which it stands.
  static var promise: Promise { get }
  /// The first of the two worlds that a seed gives.
  static func script(seed: UInt64) -> Script
  /// The world that differs from the first one.
  static func other(of script: Script) -> Script
  /// What is not equal, and should be.
  ///
  /// - Parameter records: What was seen in the first world, and in the other.
  static func breaches(of script: Script, _ records: ([Record], [Record])) -> [Breach]
}

extension Pair {
  /// Lives in both worlds. Every other law holds in both of them too.
  package static func run(_ script: Script) throws -> [Breach] {
    let one = try Self.live(in: script)
    let two = try Self.live(in: Self.other(of: script))
    return one.breaches + two.breaches + Self.breaches(of: script, (one.record, two.record))
  }

  /// One world after the other: both have the same disk.
  private static func live(in script: Script) throws -> (breaches: [Breach], record: [Record]) {
    let world = World(script, keepsRecord: true)
    return (try world.run(), world.record)
  }

  static func breach(_ text: String, at moment: Duration) -> Breach {
    Breach(law: "\(Self.self)", at: moment, text: text)
  }
}
