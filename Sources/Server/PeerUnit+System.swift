import Broker
import EventLoop
import Positioning

extension PeerUnit {
  init(_ unit: SystemUnit) {
    switch unit {
    case .service(let name): self = .named(name)
    case .none: self = .none
    case .unknown: self = .unknown
    }
  }
}
