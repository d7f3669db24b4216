import EventLoop
import Gpsd

extension GpsdAddress {
  /// Asks gpsd for its version and its receivers, without opening one.
  ///
  /// - Parameters:
  ///   - owner: The user for whom root probes; `nil`: the user who runs this.
  ///   - patience: How long gpsd may take.
  func probe(on loop: EventLoop, as owner: UInt32? = nil, patience: Duration) -> GpsdFinding {
    var finding: GpsdFinding?
    do throws(SystemError) {
      let settings = GpsdSettings(host: self.host, port: Int(self.port))
      let run = try GpsdProbeRun(loop: loop, settings: settings, owner: owner, limit: patience) {
        finding = $0
        loop.stop()
      }
      defer { withExtendedLifetime(run) {} }
      run.start()
      if finding == nil { _ = try loop.run() }
    } catch {
      return .unreachable(error.message)
    }
    return finding ?? .silent
  }
}
