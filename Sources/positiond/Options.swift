/// What the command line asks for.
enum Options: Equatable {
  case help
  case version
  /// Check the configuration: this file, or the installed one.
  case check(String?)
  case run(String?)

  struct Refusal: Error, Equatable {
    let message: String
  }

  static let helpText = """
    positiond - the location service of this device

    Usage: positiond [--config FILE] [--check-config]
           positiond --version | --help

      --config FILE    read this file (and FILE.d/*.conf) instead of
                       /etc/positiond/positiond.conf
      --check-config   say what is wrong with the configuration, and stop;
                       exits 78 if anything is
      --version        print the version, and stop
      --help           print this, and stop

    systemd starts it; `positionctl status` says how it does.
    """

  static func parse(_ arguments: [String]) -> Result<Options, Refusal> {
    var path: String?
    var isCheck = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return .success(.help)
      case "--version": return .success(.version)
      case "--check-config": isCheck = true
      case "--config":
        guard let value = rest.popFirst() else {
          return .failure(Refusal(message: "--config needs a file: --config /etc/positiond/positiond.conf"))
        }
        path = value
      case _ where argument.hasPrefix("--config="):
        path = String(argument.dropFirst("--config=".count))
      case _:
        return .failure(Refusal(message: "unknown option \(argument)"))
      }
    }
    return .success(isCheck ? .check(path) : .run(path))
  }
}
