/// The texts around the lists of options.
extension SimulatorCommand {
  static let receiveHelp = """
    positionsim [options]            a simulated GNSS receiver; prints the path of its device
    positionsim replay LOG [options] plays a recorded receiver log
    positionsim sandbox [options]    a receiver, a gpsd and a positiond in a temporary folder

    The receiver is on while somebody has its device open, and needs its time to a fix after being off.


    """

  static let receiveExamples = """

    Examples:
      positionsim --route circle:48.1,11.5,2000,10 --rate 10 --start hot
      positionsim --driver ublox --keeps-running --fault nosky@60s+30s --link /tmp/gps0
      positionsim --route walk.gpx --noise 3 --fault corrupt=0.01 --fault unplug@5min+20s
      gpsd -N -n /tmp/gps0

    """

  static let replayHelp = """
    positionsim replay LOG [options]

    Plays a receiver's log to whoever opens the device, from the moment it is opened. Lines that begin with # are
    comments. It ends when the log does and the reader has had time to take it.

    Example: positionsim replay puck.log --speed 10 --link /tmp/gps0


    """

  static let sandboxHelp = """
    positionsim sandbox [options]

    Starts a simulated receiver, a gpsd and a positiond in a temporary folder, as an ordinary user, and prints
    positiond's socket. On SIGINT or SIGTERM, or when one of them ends, all end and the folder goes.

    Example: positionsim sandbox --start ready --rate 5
             POSITIOND_SOCKET=(the socket it printed) positionctl get


    """
}
