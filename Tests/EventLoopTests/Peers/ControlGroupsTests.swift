import Positioning
import Testing

@testable import EventLoop

@Suite("The system's unit, by the control groups of a process")
struct ControlGroupsTests {
  @Test(
    "A service is the first folder below the slices",
    arguments: [
      ("/system.slice/map.service", "map.service"),
      ("/map.service", "map.service"),
      ("/system.slice/system-track.slice/track@bike.service", "track@bike.service"),
      ("/a.slice/a-b.slice/a-b-c.slice/map.service/inner/worker.service", "map.service"),
      ("/system.slice/map.service/evil.scope", "map.service"),
      (#"/system.slice/dev-disk\x2d1.service"#, #"dev-disk\x2d1.service"#),
      ("/machine.slice/systemd-nspawn@box.service/payload/system.slice/map.service", "systemd-nspawn@box.service"),
      // The manager's escape: `_` before what would be a file of the kernel's, or begins with `_`.
      ("/system.slice/_cpu.service", "cpu.service"),
      ("/system.slice/__map.service", "_map.service"),
      ("/_memory.slice/map.service", "map.service"),
    ])
  func service(path: String, unit: String) {
    #expect(PeerUnit(controlGroups: "0::\(path)\n") == .named(unit))
    #expect(PeerUnit(controlGroups: "4:memory:/\n1:name=systemd:\(path)\n0::/\n") == .named(unit))
    #expect(PeerUnit(controlGroups: "1:name=systemd:\(path)\n0::\(path)\n") == .named(unit))
  }

  @Test(
    "Sessions, users' own units, and processes outside of units have no unit",
    arguments: [
      "/", "/init.scope", "/user.slice/user-1000.slice/session-3.scope", "/system.slice", "/a.slice/a-b.slice",
      "/user.slice/user-1000.slice/user@1000.service/app.slice/map.service",
      "/user.slice/user-1000.slice/user@1000.service/map.service", "/user.slice/map.service",
      "/user.slice/user-1000.slice/user-runtime-dir@1000.service", "/user@1000.service/map.service", "/user.slice",
      "/_user.slice/map.service", "/system.slice/docker-abc.scope/map.service", "/machine.slice/machine-box.scope",
      "/system.slice/ssh.socket", "/home.mount", "/dev-sda1.swap",
    ])
  func none(path: String) {
    #expect(PeerUnit(controlGroups: "0::\(path)\n") == .none)
  }

  @Test(
    "An unusual control group gives an unknown unit",
    arguments: [
      "", "\n", "0::", "0::map.service\n", "nonsense", "0:/system.slice/map.service\n",
      "4:memory:/system.slice/a.service\n",
      "0::/../system.slice/map.service\n", "0::/system.slice/../map.service\n", "0::/system.slice/./map.service\n",
      "0::/system.slice//map.service\n", "0::/system.slice/map.service/\n", "0::/system.slice/map.service (deleted)\n",
      "0::/system.slice/map.service/inner (deleted)\n", "0::/docker/0123abcd\n",
      "0::/payload/system.slice/map.service\n",
      "0::/system.slice/.service\n", "0::/.slice/map.service\n", "0::/system.slice/_\n",
      "0::/system.slice/map.SERVICE\n",
      "0::/system.slice/map .service\n", "0::/system.slice/m\u{F6}p.service\n", "0::/system.slice/map\u{1}.service\n",
      "0::/system.slice/map.service\u{301}\n", "0::/\u{301}system.slice/map.service\n",
      "0::/system.slice/\u{301}map.service\n", "0::/system.slice/foo.timer\n", "0::/map\n",
      "0::/system.slice/\(String(repeating: "x", count: 248)).service\n",
      // The two hierarchies of the manager differ.
      "1:name=systemd:/system.slice/a.service\n0::/system.slice/b.service\n",
      "1:name=systemd:/system.slice/a.service\n0::/user.slice/session-3.scope\n",
      // An unreadable line invalidates the others.
      "0::/system.slice/map.service\nnonsense\n", "nonsense\n0::/system.slice/map.service\n",
    ])
  func unknown(text: String) {
    #expect(PeerUnit(controlGroups: text) == .unknown)
  }

  @Test("Other hierarchies are ignored")
  func others() {
    let text =
      "9:memory:/system.slice/a.service\n3:name=other:/b\u{F6}.service\n0:x:/c.service\n0::/system.slice/map.service\n"
    #expect(PeerUnit(controlGroups: text) == .named("map.service"))
  }
}
