import Glibc

/// A port of this machine at which a receiver may be.
struct SerialPort: Hashable, Sendable {
  /// How likely a receiver is there.
  enum Likelihood: Hashable {
    /// What is plugged in says that it is one, or is known as one.
    case certain
    /// It is an adapter, of which many are sold with a receiver.
    case possible
    case none
  }

  /// Such as `/dev/ttyACM0`.
  let path: String
  /// Of the USB device, in four hexadecimal digits each, with a colon between them; `nil`: it is none.
  let numbers: String?
  /// What the device calls itself.
  let name: String?

  /// Of chips that are in nothing but receivers; those of u-blox begin all alike.
  private static let receivers: Set<String> = [
    "0e8d:3329", "0e8d:3333", "091e:0003", "1163:0100", "1163:0200", "067b:aaa0",
  ]
  private static let maker = "1546:"
  /// Of adapters from USB to a serial line.
  private static let adapters: Set<String> = [
    "067b:2303", "067b:23a3", "10c4:ea60", "10c4:ea71", "0403:6001", "0403:6015", "0557:2008", "1a86:7523", "1a86:55d4",
  ]

  var likelihood: Likelihood {
    let words = (self.name ?? "").lowercased()
    if ["gps", "gnss", "u-blox"].contains(where: { words.contains($0) }) { return .certain }
    // The kernel's own class of receivers.
    guard let numbers else { return self.path.hasPrefix("/dev/gnss") ? .certain : .none }
    if Self.receivers.contains(numbers) || numbers.hasPrefix(Self.maker) { return .certain }
    return Self.adapters.contains(numbers) ? .possible : .none
  }

  /// Its path, and what is plugged in there.
  var description: String { self.path + (self.name.map { " (\($0))" } ?? "") }
}

extension InspectedMachine {
  /// The ports of USB devices, and those of the kernel's class of receivers.
  var ports: [SerialPort] {
    let usb = self.names(in: "/sys/class/tty").compactMap { name -> SerialPort? in
      guard let folder = self.usbDevice(of: name), let vendor = self.line("\(folder)/idVendor") else { return nil }
      let numbers = "\(vendor):\(self.line("\(folder)/idProduct") ?? "")"
      let words = ["manufacturer", "product"].compactMap { self.line("\(folder)/\($0)") }
      return SerialPort(
        path: "/dev/\(name)", numbers: numbers, name: words.isEmpty ? nil : words.joined(separator: " "))
    }
    return usb
      + self.names(in: "/sys/class/gnss").map {
        SerialPort(path: "/dev/\($0)", numbers: nil, name: self.line("/sys/class/gnss/\($0)/type"))
      }
  }

  /// The folder of the USB device that a serial port belongs to. The port belongs to an interface of the device, and for a USB
  /// serial adapter it is one level deeper.
  func usbDevice(of port: some StringProtocol) -> String? {
    ["..", "../.."].map { "/sys/class/tty/\(port)/device/\($0)" }.first { self.exists("\($0)/idVendor") }
  }

  /// Whether a rule of udev's has ModemManager leave a port alone.
  func isSpared(_ path: String) -> Bool {
    guard let number = self.line("/sys/class/tty/\(self.portName(path))/dev"),
      let properties = self.text("/run/udev/data/c\(number)", limit: 8192)
    else { return false }
    return properties.split(separator: "\n").contains {
      $0 == "E:ID_MM_DEVICE_IGNORE=1" || $0 == "E:ID_MM_PORT_IGNORE=1"
    }
  }

  /// The programs besides gpsd that have one of these files open, by the file's path. Only root sees those of other users.
  func holders(of paths: [String]) -> [String: [Holder]] {
    let targets = Dictionary(paths.map { (self.target($0), $0) }, uniquingKeysWith: { first, _ in first })
    guard !targets.isEmpty else { return [:] }
    var holders: [String: [Holder]] = [:]
    for process in self.processes where process.name != "gpsd" {
      let folder = "/proc/\(process.number)/fd"
      for file in Set(self.names(in: folder).compactMap { self.link("\(folder)/\($0)") }) {
        if let path = targets[file] { holders[path, default: []].append(process) }
      }
    }
    return holders
  }

  /// What a link says; `nil` if it is none or may not be read.
  private func link(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(self.root + path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A process and its name.
struct Holder: Hashable, Sendable {
  let name: String
  let number: Int
}
