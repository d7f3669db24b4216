/// The options with which gpsd runs, as far as they explain something.
struct GpsdCommandLine: Hashable, Sendable {
  /// `-n`: it opens its receivers at once and never closes them.
  private(set) var neverCloses = false
  /// `-b`: it writes nothing to a receiver.
  private(set) var isReadOnly = false
  /// `-s`: the one speed that it tries.
  private(set) var speed: String?
  /// `-S`: its port.
  private(set) var port = GpsdAddress.standard.port

  /// Options that have a value.
  private static let valued: Set<Character> = ["D", "F", "P", "S", "f", "s", "R", "r"]

  /// - Parameter words: Without the program's name.
  init(_ words: some Sequence<String>) {
    var words = words.makeIterator()
    while let word = words.next() {
      guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 1 else { continue }
      var letters = word.dropFirst()
      while let letter = letters.popFirst() {
        guard Self.valued.contains(letter) else {
          self.take(letter)
          continue
        }
        let value = letters.isEmpty ? words.next() : String(letters)
        if letter == "s" { self.speed = value }
        if letter == "S", let port = value.flatMap({ UInt16($0) }) { self.port = port }
        letters = ""
      }
    }
  }

  private mutating func take(_ letter: Character) {
    switch letter {
    case "n": self.neverCloses = true
    case "b": self.isReadOnly = true
    default: break
    }
  }
}

extension InspectedMachine {
  /// The options of the gpsd of this machine that has the port; `nil`: none runs here.
  func gpsd(atPort port: UInt16) -> GpsdCommandLine? {
    self.processes.filter { $0.name == "gpsd" }.compactMap { process in
      self.text("/proc/\(process.number)/cmdline", limit: 8192).map { text in
        GpsdCommandLine(text.split(separator: "\0", omittingEmptySubsequences: false).dropFirst().map(String.init))
      }
    }.first { $0.port == port }
  }

  /// Whether something listens at this port of TCP, and not only for this machine: gpsd with `-G`, or systemd for it.
  func isOpenToNetwork(_ port: UInt16) -> Bool {
    let digits = String(port, radix: 16, uppercase: true)
    let end = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    return ["/proc/net/tcp", "/proc/net/tcp6"].contains { file in
      (self.text(file, limit: 1 << 20) ?? "").split(separator: "\n").contains { line in
        let words = line.split(separator: " ")
        // 0A: it listens.
        guard words.count > 3, words[3] == "0A", words[1].hasSuffix(end) else { return false }
        return !Self.loopback.contains(String(words[1].dropLast(end.count)))
      }
    }
  }

  /// The addresses of the machine for itself, as the kernel writes them.
  private static let loopback: Set<String> = [
    "0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F",
  ]
}
