import Glibc
import Server
import TestSupport
import Testing

/// A machine without free descriptors.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct DescriptorTests {
  @Test func `without free descriptors connected clients are served, and waiting ones when there is one`() async {
    // In a process of its own, because the limit is that of the whole process.
    await #expect(processExitsWith: .success) {
      try await onOwnThread {
        let server = try LiveServer()
        let inside = try server.client()
        _ = try inside.call("request.list")
        let next = dup(STDIN_FILENO)
        close(next)
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        unsafe getrlimit(resource, &limit)
        // Room for both ends of two connections, and for this side of a third.
        limit.rlim_cur = rlim_t(next) + 5
        guard unsafe setrlimit(resource, &limit) == 0 else { throw TimedOut("the limit cannot be lowered") }
        var others = [try server.client(), try server.client()]
        for other in others { _ = try other.call("request.list") }
        let outside = try server.client()
        let id = try outside.request("request.list")
        while server.log.count == 0 { _ = try inside.call("request.list") }
        let began = server.cpuSeconds
        _ = try outside.everything(for: 0.3)
        guard server.cpuSeconds - began < 0.1 else { throw TimedOut("the server spins at the door") }
        others.removeLast()
        _ = try outside.reply(to: id)
        _ = try inside.call("request.list")
      }
    }
  }
}
