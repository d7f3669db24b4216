import EventLoop
import Glibc
import TestSupport
import Testing

/// The script of the shipped units, on a tree like sysfs's.
@Suite("Turning a USB device off and on", .timeLimit(.minutes(TestDeadline.minutes))) struct UsbPowerTests {
  /// A tree of devices.
  private struct Tree {
    let folder: TemporaryFolder

    init() throws {
      self.folder = try TemporaryFolder()
      try self.add("1-1", vendor: "1d6b", product: "0002", deviceClass: "09")
      try self.add("1-1.4", vendor: "1546", product: "01a8")
      try self.add("2-3", vendor: "0e8d", product: "3329")
      // An interface, which cannot be authorized by vendor and product.
      guard unsafe mkdir(self.folder.file("1-1.4:1.0"), 0o700) == 0 else { throw SystemError.last("mkdir") }
    }

    func add(_ place: String, vendor: String, product: String, deviceClass: String = "00") throws {
      guard unsafe mkdir(self.folder.file(place), 0o700) == 0 else { throw SystemError.last("mkdir") }
      for (name, text) in [
        ("idVendor", vendor), ("idProduct", product), ("bDeviceClass", deviceClass), ("authorized", "1"),
      ] {
        let file = try FileDescriptor(
          adopting: unsafe open(self.folder.file("\(place)/\(name)"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        _ = try file.write(Array("\(text)\n".utf8)[...])
        file.close()
      }
    }

    func authorized(_ place: String) throws -> String {
      let file = try FileDescriptor(
        adopting: unsafe open(self.folder.file("\(place)/authorized"), O_RDONLY | O_CLOEXEC))
      defer { file.close() }
      var bytes: [UInt8] = []
      _ = try file.read(into: &bytes, upTo: 16)
      return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Runs the script; returns whether it succeeded.
    func run(_ arguments: String..., on loop: EventLoop) throws -> Bool {
      var exit: ChildExit?
      let process = try Subprocess(
        Command(
          "\(PackageRoot.path)/systemd/usb-power", arguments,
          environment: ["POSITIOND_USB_DEVICES": self.folder.path, "PATH": "/usr/bin:/bin"]),
        on: loop, output: .discarded, errors: .discarded, exited: { exit = $0 })
      try loop.drive(until: "the end of the script") { exit != nil }
      withExtendedLifetime(process) {}
      return exit == .exited(0)
    }
  }

  @Test("a device is turned off and on by its place, or by vendor and product", arguments: ["1-1.4", "1546:01a8"])
  func turned(device: String) async throws {
    try await withLoop { loop in
      let tree = try Tree()
      for (word, expected) in [("off", "0"), ("off", "0"), ("on", "1")] {
        #expect(try tree.run(word, device, on: loop))
        #expect(try tree.authorized("1-1.4") == expected)
        #expect(try tree.authorized("2-3") == "1" && tree.authorized("1-1") == "1")
      }
    }
  }

  @Test(
    "whatever is no single device is refused, and nothing changes",
    arguments: ["9-9", "dead:beef", "1-1", "1-1.4:1.0", "../1-1.4", ".", "", "1d6b:0002"])
  func refused(device: String) async throws {
    try await withLoop { loop in
      let tree = try Tree()
      #expect(try !tree.run("off", device, on: loop))
      #expect(try !tree.run("maybe", "1-1.4", on: loop))
      #expect(try !tree.run("off", on: loop))
      for place in ["1-1", "1-1.4", "2-3"] { #expect(try tree.authorized(place) == "1") }
    }
  }

  @Test("of two devices of one product neither is turned off by that name")
  func twins() async throws {
    try await withLoop { loop in
      let tree = try Tree()
      try tree.add("3-2", vendor: "1546", product: "01a8")
      #expect(try !tree.run("off", "1546:01a8", on: loop))
      #expect(try tree.authorized("1-1.4") == "1" && tree.authorized("3-2") == "1")
      #expect(try tree.run("off", "3-2", on: loop))
      #expect(try tree.authorized("1-1.4") == "1" && tree.authorized("3-2") == "0")
    }
  }
}
