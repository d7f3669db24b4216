package import EventLoop
import Glibc

/// The device file of a simulated receiver: a pseudoterminal that can be unplugged and plugged in again.
///
/// It never blocks: unread bytes are lost, as on a serial line.
package final class SimulatedDevice {
  /// An event of the device.
  package enum Event: Hashable, Sendable {
    case opened
    /// The last program that had it open closed it.
    case closed
    case received([UInt8])
    /// There is room for more bytes; reported only while `wantsRoom`.
    case hasRoom
    /// A system call failed; the device is unplugged.
    case failed(SystemError)
  }

  /// The state while it is plugged in.
  private struct Plugged {
    var terminal: Pseudoterminal
    var openings: DeviceOpenings
    /// Only while a program has it open: the master of a closed terminal is always hung up.
    var watch: DescriptorWatch?
  }

  private let loop: EventLoop
  private let link: DeviceLink?
  private var plugged: Plugged?
  private var handler: (Event) -> Void = { _ in }

  /// A device that is not plugged in. `link`: a symbolic link that stays the same while the terminal changes.
  package init(on loop: EventLoop, link: String?) {
    self.loop = loop
    self.link = link.map { DeviceLink(path: $0) }
  }

  /// The path for programs: the link if there is one, else the terminal; `nil` while it is unplugged and has no link.
  package var path: String? {
    self.link?.path ?? self.plugged?.terminal.path
  }

  package var isPlugged: Bool { self.plugged != nil }

  /// Whether a program has it open.
  package var isOpened: Bool { self.plugged?.watch != nil }

  /// Whether `hasRoom` is reported.
  package var wantsRoom = false {
    didSet { self.plugged?.watch?.interest = self.interest }
  }

  private var interest: Interest { self.wantsRoom ? [.read, .write] : .read }

  /// Makes the device appear; `handler` gets its events from the next turn of the loop on.
  package func plug(handler: @escaping (Event) -> Void) throws(SystemError) {
    guard self.plugged == nil else { return }
    self.handler = handler
    let terminal = try Pseudoterminal.open()
    let openings = try DeviceOpenings(of: terminal.path, on: self.loop) { [weak self] in self?.check() }
    try self.link?.point(to: terminal.path)
    self.plugged = Plugged(terminal: terminal, openings: openings)
  }

  /// Makes the device disappear; a program that has it open reads the end of the file. Reports `closed` if a program
  /// had it open.
  package func unplug() {
    guard let plugged = self.plugged else { return }
    self.plugged = nil
    self.link?.remove(ifPointingTo: plugged.terminal.path)
    plugged.watch?.cancel()
    plugged.openings.cancel()
    plugged.terminal.master.close()
    if plugged.watch != nil { self.handler(.closed) }
  }

  /// Writes as many of the bytes as the line takes now, and returns how many; 0 while no program has it open.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let plugged = self.plugged, plugged.watch != nil, !bytes.isEmpty else { return 0 }
    do throws(SystemError) {
      switch try plugged.terminal.master.write(bytes) {
      case .wrote(let count): return count
      case .wouldBlock: return 0
      }
    } catch {
      self.fail(error)
      return 0
    }
  }

  /// Checks whether a program opened or closed it since the last check.
  private func check() {
    guard let plugged = self.plugged else { return }
    do throws(SystemError) {
      let isOpened = try plugged.terminal.isOpenedByOther()
      if isOpened, plugged.watch == nil {
        self.plugged?.watch = try self.loop.watch(plugged.terminal.master, for: self.interest) { [weak self] found in
          self?.ready(found)
        }
        self.handler(.opened)
      } else if !isOpened, plugged.watch != nil {
        self.close()
      }
    } catch {
      self.fail(error)
    }
  }

  private func ready(_ found: Interest) {
    guard let plugged = self.plugged else { return }
    if !found.isDisjoint(with: [.read, .hangup]) {
      var bytes: [UInt8] = []
      do throws(SystemError) {
        let result = try plugged.terminal.master.read(into: &bytes, upTo: 4096)
        if !bytes.isEmpty { self.handler(.received(bytes)) }
        if result == .endOfFile { self.check() }
      } catch {
        self.fail(error)
      }
    }
    if found.contains(.write), self.wantsRoom { self.handler(.hasRoom) }
  }

  private func close() {
    self.plugged?.watch?.cancel()
    self.plugged?.watch = nil
    self.handler(.closed)
  }

  private func fail(_ error: SystemError) {
    self.unplug()
    self.handler(.failed(error))
  }
}

/// Reports that a program may have opened or closed a device file.
///
/// The master of a pseudoterminal reports when the other side is closed for the last time, but not when it is opened; the
/// file system's notifications do.
final class DeviceOpenings {
  private let notices: FileDescriptor
  private var watch: DescriptorWatch?

  /// `changed` is called after every opening and closing of the file at `path`; the caller must check which of the two
  /// happened.
  init(of path: String, on loop: EventLoop, changed: @escaping () -> Void) throws(SystemError) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { throw SystemError.last("inotify_init1") }
    let notices = try FileDescriptor(adopting: number)
    self.notices = notices
    guard unsafe inotify_add_watch(number, path, UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)) >= 0 else {
      throw SystemError.last("watch for openings of \(path)")
    }
    self.watch = try loop.watch(notices, for: .read) { _ in
      // The contents of the notifications do not matter, nor whether they can be read: the device itself is checked.
      var unread: [UInt8] = []
      do throws(SystemError) { while case .bytes = try notices.read(into: &unread, upTo: 4096) {} } catch {}
      changed()
    }
  }

  func cancel() {
    self.watch?.cancel()
    self.notices.close()
  }
}

/// A symbolic link to the present terminal, like the links of udev in /dev/serial/by-id.
struct DeviceLink {
  let path: String

  /// Makes the link, in place of an existing one. A file that is not a link is left alone and is an error.
  func point(to target: String) throws(SystemError) {
    if self.target == nil, unsafe access(self.path, F_OK) == 0 {
      throw SystemError(code: EEXIST, call: "link \(self.path)", message: "there is a file that is not a link")
    }
    // Renaming replaces it in one step: the path always exists, also between two terminals.
    let temporary = "\(self.path).\(getpid())"
    guard unsafe symlink(target, temporary) == 0 else { throw SystemError.last("link \(temporary)") }
    guard unsafe rename(temporary, self.path) == 0 else {
      let error = SystemError.last("link \(self.path)")
      _ = unsafe unlink(temporary)
      throw error
    }
  }

  /// Removes the link, unless it points to another terminal now.
  func remove(ifPointingTo target: String) {
    if self.target == target { _ = unsafe unlink(self.path) }
  }

  /// The link's target; `nil` if there is no link.
  private var target: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let length = unsafe readlink(self.path, &bytes, bytes.count)
    guard length >= 0 else { return nil }
    return String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
