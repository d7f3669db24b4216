import FoundationEssentials
import ReceiverPorts

/// The `DEVICES` list of gpsd.
///
/// Types vary between releases: `activated` is a date, or the number 0, or absent for a device that gpsd has not open;
/// `readonly` is a text. So every member is read as whatever it is, and an entry without a path is passed over.
struct DeviceList: Decodable {
  private let devices: [[String: Scalar]]

  /// `nil` where the line is no JSON of that form.
  static func decode(_ line: [UInt8]) -> [ReceiverDevice]? {
    do {
      return try JSONDecoder().decode(DeviceList.self, from: Data(line)).devices.compactMap(Self.device)
    } catch {
      // Whatever is wrong with it, there is nothing to read; the session says so.
      return nil
    }
  }

  private static func device(_ members: [String: Scalar]) -> ReceiverDevice? {
    guard let path = members["path"]?.text, !path.isEmpty else { return nil }
    return ReceiverDevice(
      path: path, driver: members["driver"]?.text, subtype: members["subtype"]?.text,
      isActivated: members["activated"]?.saysActivated ?? false,
      cycle: ReportMapping.cycle(members["cycle"]?.number ?? .nan))
  }

  private enum Scalar: Decodable {
    case text(String)
    case number(Double)
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        self = .text(try container.decode(String.self))
      } catch DecodingError.typeMismatch {
        do {
          self = .number(try container.decode(Double.self))
        } catch DecodingError.typeMismatch {
          self = .other
        }
      } catch DecodingError.valueNotFound {
        self = .other
      }
    }

    var text: String? {
      if case .text(let text) = self { text } else { nil }
    }

    var number: Double? {
      if case .number(let number) = self { number } else { nil }
    }

    /// The date on which it was heard last, or the number 0.
    var saysActivated: Bool {
      switch self {
      case .text: true
      case .number(let number): number != 0
      case .other: false
      }
    }
  }
}
