import Glibc

extension EventLoop {
  /// The identifier of this boot of the loop's kernel; `nil` if it cannot be read.
  package func bootIdentifier() -> String? {
    switch backend {
    case .system: Self.systemBootIdentifier()
    case .memory(let kernel): kernel.boot
    }
  }

  /// The identifier of this boot of the system.
  private static func systemBootIdentifier() -> String? {
    let number = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(number, &bytes, bytes.count)
    let boot = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    return boot.isEmpty ? nil : String(decoding: boot, as: UTF8.self)
  }
}
