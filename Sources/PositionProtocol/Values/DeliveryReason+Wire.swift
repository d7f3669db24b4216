import JSONRPC
import Positioning

extension DeliveryReason {
  static let codec = Codec<DeliveryReason>.openWord { DeliveryReason(rawValue: $0) }
}

extension EndReason {
  static let codec = Codec<EndReason>.openWord { EndReason(rawValue: $0) }
}
