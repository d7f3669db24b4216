import Glibc
import Positioning
import SimulatedWorld

/// Runs worlds one after the other, and says which laws do not hold in them.
///
///     world [--from SEED] [--to SEED] [--step N] [--seconds N] [--no-shrink] [--stop-at-first]
///     world --hidden [--from SEED] ...
///     world --twin [--from SEED] ...
///     world --lies
///     world --trace SEED
///     world --scripts [--from SEED] --to SEED
///     world --soak HOURS
///
/// - `--from`, `--to`, `--step`: the seeds.
/// - `--seconds`: no further world is begun after so much of the processor's time.
/// - `--no-shrink`: what breaks a law is not made shorter.
/// - `--hidden`: two worlds of each seed, which differ in what a program may not know.
/// - `--twin`: two worlds of each seed, with a daemon that is late and one that is in time.
/// - `--lies`: lies to each law about a world, and says which do not notice it.
/// - `--stop-at-first`: ends with the first world that breaks a law, without making it shorter; each seed is printed when its
///   world begins, so that it is known of which a trap or a stop is.
/// - `--scripts`: only prints what will happen in the worlds.
/// - `--soak`: lives so long as `make soak` does, and prints which part of the time the receiver was on, how many fixes a tracker
///   got, and how often a region was entered and left.
/// - `--trace`: prints everything that happens in the world of a seed; 0: the world of the lies.
@main struct WorldCommand {
  private var first: UInt64 = 1
  private var last = UInt64.max
  private var step: UInt64 = 1
  private var seconds = 600.0
  private var traced: UInt64?
  private var soaked: Int?
  private var isShrinking = true
  private var isLying = false
  private var printsScripts = false
  /// Laws of two worlds; none: those of one are held.
  private var pairs: [any Pair.Type] = []
  private var stopsAtFirst = false

  static func main() throws {
    var command = WorldCommand()
    try command.read(CommandLine.arguments.dropFirst())
    exit(try command.run())
  }

  private struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  private mutating func read(_ arguments: ArraySlice<String>) throws {
    var arguments = arguments
    while let option = arguments.popFirst() {
      if option == "--no-shrink" {
        self.isShrinking = false
        continue
      }
      if option == "--stop-at-first" {
        (self.isShrinking, self.stopsAtFirst) = (false, true)
        continue
      }
      if option == "--lies" {
        self.isLying = true
        continue
      }
      if option == "--scripts" {
        self.printsScripts = true
        continue
      }
      if option == "--hidden" || option == "--twin" {
        self.pairs.append(option == "--twin" ? Twin.self : NonInterference.self)
        continue
      }
      guard let value = arguments.popFirst() else { throw Mistake(description: "\(option) needs a value") }
      switch option {
      case "--from": self.first = try Self.number(value, of: option)
      case "--to": self.last = try Self.number(value, of: option)
      case "--step": self.step = try Self.number(value, of: option)
      case "--seconds": self.seconds = Double(try Self.number(value, of: option))
      case "--soak": self.soaked = Int(try Self.number(value, of: option))
      case "--trace": self.traced = try Self.number(value, of: option)
      default: throw Mistake(description: "unknown option \(option)")
      }
    }
  }

  private static func number(_ text: String, of option: String) throws -> UInt64 {
    guard let number = UInt64(text) else { throw Mistake(description: "\(option) needs a number, and not \(text)") }
    return number
  }

  private func run() throws -> Int32 {
    if let soaked {
      let outcome = try Soak.run(hours: soaked)
      print("\(outcome.share) \(outcome.fixes) \(outcome.events)")
      return 0
    }
    if let traced { return try self.trace(traced) }
    if self.isLying {
      let unnoticed = try Lies.unnoticed()
      print(unnoticed.isEmpty ? "each law notices a lie" : unnoticed.joined(separator: "\n"))
      return unnoticed.isEmpty ? 0 : 1
    }
    if self.printsScripts {
      for seed in stride(from: self.first, through: self.last, by: Int(self.step)) {
        print("seed \(seed): \(Script(seed: seed).text)")
      }
      return 0
    }
    let began = Self.processorSeconds
    var (seeds, hours, broken) = (0, 0.0, 0)
    var seed = self.first
    while seed <= self.last, Self.processorSeconds - began < self.seconds, broken == 0 || !self.stopsAtFirst {
      if self.stopsAtFirst {
        print("seed \(seed)")
        fflush(nil)
      }
      for pair in self.pairs {
        let script = pair.script(seed: seed)
        hours += 2 * (script.length + Script.calm).seconds / 3600
        broken += try self.live(in: script) { try pair.run($0) }
      }
      if self.pairs.isEmpty {
        let script = Script(seed: seed)
        hours += (script.length + Script.calm).seconds / 3600
        broken += try self.live(in: script) { try World($0).run() }
      }
      seeds += 1
      seed += self.step
    }
    let spent = Self.processorSeconds - began
    print(
      "\(seeds) seeds, \(Int(hours)) simulated hours, \(Int(spent)) core seconds, "
        + "\(Int(hours / spent * 3600)) hours an hour, \(broken) laws broken")
    return broken == 0 ? 0 : 1
  }

  /// - Returns: How many laws do not hold.
  private func live(in script: Script, _ run: @escaping (Script) throws -> [Breach]) throws -> Int {
    let breaches = try run(script)
    if !breaches.isEmpty { self.report(breaches, of: script, run) }
    return Set(breaches.map(\.law)).count
  }

  private func report(_ breaches: [Breach], of script: Script, _ run: @escaping (Script) throws -> [Breach]) {
    // What is known is seen, also in a file, if the program is stopped.
    defer { fflush(nil) }
    for breach in breaches.prefix(5) {
      print("seed \(script.number): \(breach.law) at \(breach.at.seconds) s: \(breach.text)")
    }
    if breaches.count > 5 { print("seed \(script.number): and \(breaches.count - 5) more") }
    guard self.isShrinking, let first = breaches.first else { return }
    let shortest = Shrinker.shortest(script, breaking: first.law, attempts: 40, run: run)
    print("seed \(script.number): the shortest script that breaks \(first.law) so: \(shortest.text)")
  }

  /// Prints everything that happens in the world of a seed.
  private func trace(_ seed: UInt64) throws -> Int32 {
    let script = seed == 0 ? Lies.script : Script(seed: seed)
    print(script.text)
    let world = World(script, keepsTrace: true)
    let breaches = try world.run()
    for line in world.trace { print("\(line.at.seconds) \(line.text)") }
    for breach in breaches { print("BROKEN \(breach.law) at \(breach.at.seconds) s: \(breach.text)") }
    print("fingerprint \(world.fingerprint)")
    return breaches.isEmpty ? 0 : 1
  }

  private static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
