import JSONRPC
import PositionProtocol
import Positioning
import ProgramArguments

/// The options that describe a region, for every command that takes one.
enum RegionOptions {
  static let parameters = ParameterOptions<RegionAddRequest>(
    except: ["id", "durable"], named: ["dwellTime": ("dwell", nil), "expiresIn": ("expires", nil)],
    kinds: ["circle": .circle, "polygon": .polygon, "notify": .events])

  static var all: [any CommandOption] { self.parameters.all }

  /// The region of the options.
  static func region(id: String, _ arguments: Arguments) throws(UsageError) -> Region {
    let shapes = ["circle", "polygon"].compactMap { self.parameters[$0] }
    switch shapes.count(where: { arguments.has($0) }) {
    case 0: throw UsageError("missing \(shapes.map(\.form).joined(separator: " or "))")
    case 1: break
    default: throw UsageError("--circle and --polygon cannot be combined")
    }
    // The region is checked as a whole at the end.
    var region = try self.parameters.request(
      arguments, beside: ["id": .string(id)], leniency: [.values]
    ).region
    if region.dwellTime != nil { region.notify.insert(.dwell) }
    if region.notify.contains(.dwell), region.dwellTime == nil {
      throw UsageError("--notify dwell needs --dwell SECONDS")
    }
    do throws(InvalidRegion) {
      return try region.checked()
    } catch {
      throw UsageError("\(error.parameter) must be \(error.expected)")
    }
  }

  /// Whether any of them was given.
  static func areGiven(in arguments: Arguments) -> Bool { !self.parameters.given(in: arguments).isEmpty }
}
