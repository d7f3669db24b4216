import CGPS
import JSONRPC
import ReceiverPorts

/// The `DEVICES` list of gpsd.
///
/// Types vary between releases: `activated` is a date, or the number 0, or absent for a device that gpsd does not have
/// open; `readonly` is a text. So a member of an unexpected type is accepted, and an entry without a path is skipped.
enum DeviceList {
  /// `nil` if the line is not JSON of that form.
  static func decode(_ line: [UInt8]) -> [ReceiverDevice]? {
    let document: JSONDocument
    do throws(RPCError) {
      document = try JSONDocument(line)
    } catch {
      // Whatever is wrong with it, there is nothing to read. The session reports it.
      return nil
    }
    guard let list = document.root["devices"], list.isArray, list.elements.allSatisfy(\.isObject) else { return nil }
    return list.elements.compactMap { self.device($0) }
  }

  private static func device(_ entry: JSONView) -> ReceiverDevice? {
    guard let path = self.text(entry["path"]), !path.isEmpty else { return nil }
    return ReceiverDevice(
      path: path, driver: self.text(entry["driver"]), subtype: self.text(entry["subtype"]),
      isActivated: entry["activated"].map { self.saysActivated($0) } ?? false,
      cycle: ReportMapping.cycle(entry["cycle"]?.double ?? .nan))
  }

  /// A text that is no longer than those of gpsd's other messages. A longer one is not gpsd's, and a part of it would name
  /// another device.
  private static func text(_ view: JSONView?) -> String? {
    view?.string.flatMap { $0.utf8.count < CGPS_TEXT_ROOM ? $0 : nil }
  }

  /// The date of the device's last data, or the number 0.
  private static func saysActivated(_ view: JSONView) -> Bool {
    view.string != nil || view.double.map { $0 != 0 } ?? false
  }
}
