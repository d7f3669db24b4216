import EventLoop
import FoundationEssentials
import Positioning

@testable import ReceiverSimulator

/// The members of gpsd's reports that these tests use.
struct GpsdReport: Decodable, Hashable {
  enum CodingKeys: String, CodingKey {
    case name = "class"
    case mode, time, lat, lon, altMSL, speed, track, eph, heading, driver, subtype, path, uSat, satellites, devices
    case hdop
  }

  struct Satellite: Decodable, Hashable {
    var PRN: Int
    var used: Bool
  }

  var name: String
  var mode: Int?
  var time: String?
  var lat: Double?
  var lon: Double?
  var altMSL: Double?
  var speed: Double?
  var track: Double?
  var eph: Double?
  var heading: Double?
  var driver: String?
  var subtype: String?
  var path: String?
  var uSat: Int?
  var hdop: Double?
  var satellites: [Satellite]?
  /// Of a list of devices.
  var devices: [GpsdReport]?

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.name = try values.decode(String.self, forKey: .name)
    self.mode = try values.decodeIfPresent(Int.self, forKey: .mode)
    self.time = try values.decodeIfPresent(String.self, forKey: .time)
    self.lat = try values.decodeIfPresent(Double.self, forKey: .lat)
    self.lon = try values.decodeIfPresent(Double.self, forKey: .lon)
    self.altMSL = try values.decodeIfPresent(Double.self, forKey: .altMSL)
    self.speed = try values.decodeIfPresent(Double.self, forKey: .speed)
    self.track = try values.decodeIfPresent(Double.self, forKey: .track)
    self.eph = try values.decodeIfPresent(Double.self, forKey: .eph)
    self.heading = try values.decodeIfPresent(Double.self, forKey: .heading)
    self.driver = try values.decodeIfPresent(String.self, forKey: .driver)
    self.subtype = try values.decodeIfPresent(String.self, forKey: .subtype)
    self.path = try values.decodeIfPresent(String.self, forKey: .path)
    self.uSat = try values.decodeIfPresent(Int.self, forKey: .uSat)
    self.hdop = try values.decodeIfPresent(Double.self, forKey: .hdop)
    self.satellites = try values.decodeIfPresent([Satellite].self, forKey: .satellites)
    self.devices = try values.decodeIfPresent([GpsdReport].self, forKey: .devices)
  }
}

/// Connects to a gpsd as soon as it listens, watches everything, and keeps the reports.
final class GpsdReader {
  private let loop: EventLoop
  private let port: UInt16
  private var socket: FileDescriptor?
  private var watch: DescriptorWatch?
  private var retry: LoopTimer?
  private var pending: [UInt8] = []
  private(set) var reports: [GpsdReport] = []

  init(port: UInt16, on loop: EventLoop) throws {
    self.loop = loop
    self.port = port
    self.retry = try loop.timer(accuracy: .milliseconds(1)) { [weak self] in self?.connect() }
    self.retry?.arm(at: loop.now)
  }

  private func connect() {
    do {
      let socket = try TCPSocket.connect(address: "127.0.0.1", port: self.port)
      self.socket = socket
      self.watch = try self.loop.watch(socket, for: .write) { [weak self] _ in self?.ready() }
    } catch {
      self.later()
    }
  }

  private func later() {
    self.watch = nil
    self.socket?.close()
    self.socket = nil
    self.retry?.arm(at: self.loop.now + .milliseconds(50))
  }

  private func ready() {
    guard let socket = self.socket, let watch = self.watch else { return }
    do {
      if watch.interest == .write {
        guard TCPSocket.finishConnect(socket) == nil else { return self.later() }
        watch.interest = .read
        self.send("?WATCH={\"enable\":true,\"json\":true};\n")
      } else {
        guard case .bytes = try socket.read(into: &self.pending, upTo: 65_536) else { return self.later() }
        self.takeLines()
      }
    } catch {
      self.later()
    }
  }

  func send(_ text: String) {
    _ = try? self.socket?.write(Array(text.utf8)[...])
  }

  private func takeLines() {
    while let end = self.pending.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(self.pending[..<end])
      self.pending.removeFirst(end + 1)
      if let report = try? JSONDecoder().decode(GpsdReport.self, from: Data(line)) { self.reports.append(report) }
    }
  }

  func reports(named name: String) -> [GpsdReport] {
    self.reports.filter { $0.name == name }
  }
}
