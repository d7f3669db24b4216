import Positioning
import ReceiverSimulator
import SimulatedWorld
import TestSupport
import Testing

@Suite("The simulated world") struct SimulatedWorldTests {
  // The others, the pairs and the lies need optimised code: scripts/world-seeds has them.
  @Test("In a world with the checks of exclusive access and of actors every law holds")
  func laws() throws {
    let breaches = try World(Script(seed: 1)).run()
    #expect(breaches.isEmpty, "\(breaches)")
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
