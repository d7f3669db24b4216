package import EventLoop

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
