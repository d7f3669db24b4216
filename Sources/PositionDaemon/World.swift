package import Configuration
package import EventLoop
package import Positioning
package import Systemd

/// Everything that the daemon asks of the world, but for what its loop has: one method each, with values in and values
/// out. A test gives it another world, and a daemon cannot notice.
///
/// All of it is used on the loop's thread, except for `account`.
package struct World {
  /// Starts systemd's units, and asks about them.
  package var units: any Units
  /// Looks up a user or group. It may wait for the answer, beside the loop.
  package var account: @Sendable (AccountQuery) -> AccountLookup<Account>
  /// Whose the numbers are that have no user.
  package var subordinates: () -> SubordinateNumbers
  /// Takes messages to the service manager: a new state, if it is one, and a line for `systemctl status`.
  package var notify: (ServiceManager.State?, _ status: String) -> Void
  package var log: Log
  /// Where the database is, and the files beside it and beside the socket.
  package var disk: any Disk
  /// Reads the configuration again.
  package var configuration: () -> Result<Settings, ConfigurationErrors>
  /// Lets the process open as many files as so many clients need.
  package var openFiles: (_ clients: Int) throws(OpenFiles.TooFewDescriptors) -> Void
  /// The sockets that the service manager made; asked once.
  package var passedSockets: () throws(SystemError) -> [PassedSocket]
  /// How wrong the wall clock may be, if something synchronises it; `nil`: nobody knows.
  package var clockError: () -> Duration?
  /// Asks chrony at a port of this machine, which answers once; `nil`: it says nothing.
  package var askClock: (_ port: UInt16, _ answer: @escaping (ClockFigure?) -> Void) -> Void

  package init(
    units: any Units, account: @escaping @Sendable (AccountQuery) -> AccountLookup<Account>,
    subordinates: @escaping () -> SubordinateNumbers,
    notify: @escaping (ServiceManager.State?, _ status: String) -> Void, log: Log, disk: any Disk,
    configuration: @escaping () -> Result<Settings, ConfigurationErrors>,
    openFiles: @escaping (_ clients: Int) throws(OpenFiles.TooFewDescriptors) -> Void = { _ in },
    passedSockets: @escaping () throws(SystemError) -> [PassedSocket] = { [] },
    clockError: @escaping () -> Duration? = { nil },
    askClock: @escaping (_ port: UInt16, _ answer: @escaping (ClockFigure?) -> Void) -> Void = { $1(nil) }
  ) {
    self.units = units
    self.account = account
    self.subordinates = subordinates
    self.notify = notify
    self.log = log
    self.disk = disk
    self.configuration = configuration
    self.openFiles = openFiles
    self.passedSockets = passedSockets
    self.clockError = clockError
    self.askClock = askClock
  }

  /// This machine.
  ///
  /// - Parameter configuration: The path of the configuration; `nil`: the installed one.
  package static func system(on loop: EventLoop, log: Log, configuration: String?) throws(SystemError) -> World {
    World(
      units: try UnitStarter(loop: loop), account: { $0.ask() }, subordinates: SubordinateFile.reader(),
      notify: { ServiceManager.notify($0, status: $1) }, log: log, disk: SystemDisk(),
      configuration: { Settings.load(path: configuration) },
      openFiles: { clients throws(OpenFiles.TooFewDescriptors) in try OpenFiles.raise(forClients: clients) },
      passedSockets: { () throws(SystemError) in try ServiceManager.passedSockets() },
      clockError: { ClockSynchronization.error() },
      askClock: { [unowned loop] in ChronySocket.ask(on: loop, port: $0, answer: $1) })
  }
}
