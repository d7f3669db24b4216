import Positioning
import ReceiverSimulator
import Systemd
import Testing

@testable import DesktopPrompts

/// The calls have the types of the interfaces.
struct InterfaceTests {
  private static let prompt = PermissionPrompt(
    principal: Principal(uid: 1000, user: "ada", name: "map"), level: .always, precision: .precise)

  @Test func `the dialog's call is that of the interface that xdg-desktop-portal installs`() throws {
    let path = "/usr/share/dbus-1/interfaces/\(AccessDialog.interface).xml"
    let document = String(decoding: try File.read(path), as: UTF8.self)
    let method = try #require(document.firstMatch(of: /<method name="AccessDialog">([\s\S]*?)<\/method>/))
    let types = { (direction: String) in
      method.output.1.matches(of: /<arg type="([^"]+)" name="\w+" direction="(\w+)"\/>/)
        .filter { $0.output.2 == direction }.map { $0.output.1 }.joined()
    }
    let dialog = AccessDialog(service: "org.example", handle: "/a")
    let arguments = dialog.arguments(Self.prompt)
    #expect(arguments.map(\.signature).joined() == types("in"))
    #expect(types("out") == "ua{sv}")
    guard case .properties(let options)? = arguments.last else { preconditionFailure("the last ones are options") }
    for (name, value) in options {
      // The document says the type of each key in its comment.
      #expect(document.contains("<term>\(name) \(value.signature)</term>"), "\(name) \(value.signature)")
    }
    let request = String(
      decoding: try File.read("/usr/share/dbus-1/interfaces/\(AccessDialog.requestInterface).xml"), as: UTF8.self)
    #expect(request.contains("<method name=\"\(dialog.closing.member)\">"))
  }

  @Test func `the notification's call is that of the specification, and it stays until the person decides`() {
    let arguments = PromptNotification.arguments(Self.prompt)
    #expect(arguments.map(\.signature).joined() == "susssasa{sv}i")
    guard case .properties(let hints) = arguments[6] else { preconditionFailure("these are hints") }
    #expect(hints["urgency"] == .byte(2) && arguments[7] == .int32(0))
  }
}
