import EventLoop
import Positioning
import WorldSupport

/// A gpsd on a machine in memory: while somebody watches, it reports a position each second.
final class MemoryGpsd {
  private let machine: MemoryMachine
  private let latitude: Double
  private var clients: [MemoryPeer] = []
  private var watcher: MemoryPeer?
  private(set) var requests: [String] = []
  private(set) var reports = 0

  init(on machine: MemoryMachine, port: UInt16 = 2947, latitude: Double) {
    self.machine = machine
    self.latitude = latitude
    machine.listen(at: .port(port, address: "127.0.0.1")) { [unowned self] in self.accept($0) }
  }

  var isWatched: Bool { self.watcher.map { !$0.hasEnded } ?? false }

  private func accept(_ peer: MemoryPeer) {
    self.clients.append(peer)
    peer.onLine = { [unowned self, unowned peer] in self.requested($0, by: peer) }
    peer.send(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n")
  }

  private func requested(_ line: String, by peer: MemoryPeer) {
    self.requests.append(line)
    let devices =
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","#
      + #""activated":"\#(self.machine.timestamp)"}]}"# + "\r\n"
    if line.hasPrefix(#"?WATCH={"enable":true"#) {
      peer.send(devices + #"{"class":"WATCH","enable":true,"json":true}"# + "\r\n")
      self.watcher = peer
      self.report(to: peer)
    } else if line.hasPrefix("?DEVICES") {
      peer.send(devices)
    }
  }

  private func report(to peer: MemoryPeer) {
    guard peer === self.watcher, !peer.hasEnded else { return }
    self.reports += 1
    peer.send(
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(self.machine.timestamp)","lat":\#(self.latitude),"#
        + #""lon":11.5,"altHAE":520.0,"epx":3.0,"epy":3.0,"epv":6.0,"eph":4.0,"track":0.0,"speed":0.0,"eps":0.5}"#
        + "\r\n")
    self.machine.after(.seconds(1)) { [weak self, weak peer] in
      guard let self, let peer else { return }
      self.report(to: peer)
    }
  }
}

extension MemoryMachine {
  fileprivate var timestamp: Timestamp { Timestamp(since1970: self.wall) }
}
