import EventLoop
import Glibc

/// A program that reads a receiver's device like gpsd: opens it, keeps the bytes, may write.
final class SerialReader {
  private let file: FileDescriptor
  private var watch: DescriptorWatch?
  private(set) var bytes: [UInt8] = []
  /// Whether the device was unplugged.
  private(set) var hasEnded = false

  init(_ path: String, on loop: EventLoop) throws {
    let number = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError.last("open \(path)") }
    self.file = try FileDescriptor(adopting: number)
    self.watch = try loop.watch(self.file, for: .read) { [weak self] _ in self?.read() }
  }

  var text: String { String(decoding: self.bytes, as: UTF8.self) }

  private func read() {
    do throws(SystemError) {
      if try self.file.read(into: &self.bytes, upTo: 4096) == .endOfFile { self.end() }
    } catch {
      self.end()
    }
  }

  private func end() {
    self.hasEnded = true
    self.close()
  }

  func write(_ bytes: [UInt8]) throws {
    _ = try self.file.write(bytes[...])
  }

  /// Stays open and reads no more.
  func stopReading() { self.watch?.cancel() }

  func close() {
    self.watch?.cancel()
    self.file.close()
  }
}
