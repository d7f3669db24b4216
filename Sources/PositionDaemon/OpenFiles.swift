import Glibc
import Server

/// How many files the process may open: raised at the start to what the clients need.
package enum OpenFiles {
  /// The descriptors of the daemon itself, with some to spare: the loop, gpsd, the listeners, the log; and clients
  /// beyond `max-clients`.
  static let own = 64 + ServerLimits.keptPlaces + ServerLimits.maxAwaitingAdmission

  /// The system does not let the process open as many files as its clients need.
  package struct TooFewDescriptors: Error, CustomStringConvertible {
    let needed: Int
    let allowed: Int

    package var description: String {
      "max-clients needs \(self.needed) open files and the system allows \(self.allowed): "
        + "raise LimitNOFILE= of the service, or lower max-clients"
    }
  }

  static func raise(forClients clients: Int) throws(TooFewDescriptors) {
    let needed = clients + self.own
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(needed) else { return }
    guard limit.rlim_max >= rlim_t(needed) else {
      throw TooFewDescriptors(needed: needed, allowed: Int(limit.rlim_max))
    }
    limit.rlim_cur = rlim_t(needed)
    guard unsafe setrlimit(resource, &limit) == 0 else {
      throw TooFewDescriptors(needed: needed, allowed: Int(limit.rlim_max))
    }
  }
}
