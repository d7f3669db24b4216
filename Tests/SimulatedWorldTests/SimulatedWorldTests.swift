import Positioning
import ReceiverSimulator
import SimulatedWorld
import TestSupport
import Testing

@Suite("The simulated world") struct SimulatedWorldTests {
  @Test("In the worlds of fixed seeds every law holds", arguments: [1, 2, 3, 4, 5, 74] as [UInt64])
  func laws(seed: UInt64) throws {
    let breaches = try World(Script(seed: seed)).run()
    #expect(breaches.isEmpty, "seed \(seed): \(breaches)")
  }

  @Test("The same seed is the same story")
  func repeatable() throws {
    let runs = try (0..<2).map { _ in
      let world = World(Script(seed: 4), keepsTrace: true)
      _ = try world.run()
      return world.fingerprint
    }
    #expect(runs[0] == runs[1])
  }

  @Test("Each law is broken by a lie about a world in which all hold")
  func lies() throws {
    #expect(try Lies.unnoticed() == [])
  }

  @Test(
    "In two worlds that differ in one thing only, what must be equal is equal", arguments: [1, 2] as [UInt64])
  func pairs(seed: UInt64) throws {
    for pair in Laws.pairs {
      let breaches = try pair.run(pair.script(seed: seed))
      #expect(breaches.isEmpty, "seed \(seed): \(breaches)")
    }
  }

  @Test("Each law quotes a sentence that stands in its document")
  func promises() throws {
    let promises =
      Laws.all().map { ("\(type(of: $0))", type(of: $0).promise) } + Laws.pairs.map { ("\($0)", $0.promise) }
    for (law, promise) in promises {
      let text = String(decoding: try File.read("\(PackageRoot.path)/\(promise.document)"), as: UTF8.self)
      let words = text.split { $0.isWhitespace }.joined(separator: " ")
      #expect(words.contains(promise.sentence), "\(law): \(promise)")
    }
  }
}
