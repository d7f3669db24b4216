import Positioning

/// The text form of a client: the kernel's facts first, then the program's own statements.
enum PrincipalFormat {
  static func line(_ principal: Principal) -> String {
    var text = principal.user ?? "uid \(principal.uid)"
    if let number = principal.subordinate { text += " as uid \(number)" }
    if let pid = principal.pid { text += ", process \(pid)" }
    if let unit = principal.unit.name { text += ", \(unit)" }
    let own = [principal.name, principal.purpose].compactMap { $0 }.map { "\"\($0)\"" }
    return own.isEmpty ? text : "\(text), calls itself \(own.joined(separator: ", for "))"
  }
}
