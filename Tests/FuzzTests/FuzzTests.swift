import FoundationEssentials
import FuzzTargets
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

@Suite struct FuzzTests {
  private static func kept(_ target: FuzzTarget) throws -> [[UInt8]] {
    let folder = "\(PackageRoot.path)/Tests/FuzzTests/Corpus/\(target.rawValue)"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { try File.read("\(folder)/\($0)") }
  }

  @Test("Every input that was kept is read by the rules, whole, cut and damaged", arguments: FuzzTarget.allCases)
  func kept(target: FuzzTarget) throws {
    let inputs = try Self.kept(target)
    #expect(!inputs.isEmpty)
    var random = SeededRandom(seed: 1)
    for input in inputs {
      target.run(input)
      for _ in 0..<100 where !input.isEmpty {
        var damaged = Array(input.prefix(Int.random(in: 0...input.count, using: &random)))
        for _ in 0..<Int.random(in: 0..<4, using: &random) where !damaged.isEmpty {
          damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        target.run(damaged)
      }
    }
  }
}
