import Glibc

extension SettingKind where Value == String {
  /// The path of a Unix socket.
  package static var socketPath: SettingKind {
    // sockaddr_un holds 108 bytes, the last of them NUL.
    let longest = 107
    return SettingKind(
      expectation: "an absolute path of at most \(longest) bytes",
      read: { (text: String) throws(SettingError) in
        guard text.utf8.first == UInt8(ascii: "/") else { throw .malformed }
        guard text.utf8.count <= longest else { throw .outOfRange }
        return text
      },
      write: { $0 })
  }

  /// The absolute path of a file that may not exist yet.
  package static var file: SettingKind {
    SettingKind(
      expectation: "a file's absolute path",
      read: { (text: String) throws(SettingError) in
        guard text.utf8.first == UInt8(ascii: "/"), text.utf8.last != UInt8(ascii: "/") else { throw .malformed }
        return text
      },
      write: { $0 })
  }

  /// A receiver as gpsd names it: a device's path, or the address of a network source.
  package static var device: SettingKind {
    SettingKind(
      expectation: "a device's path such as /dev/ttyACM0, as gpsd has it",
      read: { (text: String) throws(SettingError) in
        // String's search for another would bring the library of regular expressions, a megabyte, into the daemon.
        let isAddress = text.utf8.indices.contains { text.utf8[$0...].starts(with: "://".utf8) }
        guard text.utf8.first == UInt8(ascii: "/") || isAddress else { throw .malformed }
        return text
      },
      write: { $0 })
  }

  /// The address of a TCP server, without names that would have to be looked up.
  package static var address: SettingKind {
    SettingKind(
      expectation: "localhost, an IPv4 address or an IPv6 address",
      read: { (text: String) throws(SettingError) in
        // The larger family's binary form has room for either.
        var address = in6_addr()
        let isNumeric = [AF_INET, AF_INET6].contains { unsafe inet_pton($0, text, &address) == 1 }
        guard text == "localhost" || isNumeric else { throw .malformed }
        return text
      },
      write: { $0 })
  }
}
