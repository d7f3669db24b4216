import Broker
import JSONRPC
import PositionProtocol
import Positioning
import ReceiverPorts

extension StatusGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.status) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .status(let status) = answer else { return self.unexpected(answer, in: context) }
    let object = { StatusObject(status, in: context) }
    do throws(JSONWriter.NoJSON) {
      guard let written = context.writtenStatus else { return .success(object()) }
      return .success(try written.text(of: status, now: context.now, make: object))
    } catch {
      // Whoever sends it sees the same, and says so.
      return .success(object())
    }
  }
}

extension StatusSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.subscribeStatus) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension StatusObject {
  init(_ status: Status, in context: AnswerContext) {
    self.init(
      version: context.daemon.version, uptime: (context.now - context.daemon.began).wireSeconds,
      receiver: Receiver(
        device: status.receiver?.path, driver: status.receiver?.driver, availability: status.availability,
        since: context.time(of: status.availabilitySince)),
      power: Power(
        state: Power.State(status.power.state), rung: "watch", verifiedBy: status.power.verifiedBy,
        since: context.time(of: status.power.since), onSeconds: status.onTime.wireSeconds,
        dutyCycle: DutyCycle(hour: status.dutyCycleHour.toTenThousandths, day: status.dutyCycleDay.toTenThousandths),
        starts: Starts(total: status.starts)),
      gpsd: Gpsd(
        state: Gpsd.State(status.source), detail: status.detail, version: status.gpsdVersion,
        reconnects: status.reconnects),
      demand: status.demand.map { Demand($0, of: status.demands, omitted: status.demandsOmitted) },
      inUse: status.inUse.prefix(Self.maximumInUse).map { InUse($0, now: context.now, since1970: context.since1970) },
      reports: Reports(received: status.reports, fixes: status.fixes, rejected: status.rejections),
      lastFix: status.lastFixAge.map {
        LastFix(age: $0.wireSeconds, level: status.lastFixLevel, accuracySource: status.lastFixAccuracySource)
      },
      lastError: status.lastError.map { LastError(message: $0.message, time: context.time(of: $0.at)) },
      clients: status.clients, requests: status.requests, subscriptions: status.subscriptions)
  }
}

extension StatusObject {
  /// The most that are listed, since any user may be among them.
  private static let maximumInUse = 64
}

extension StatusObject.InUse {
  init(_ use: InUse, now: Instant, since1970: Duration) {
    self.init(
      uid: use.uid, user: use.user, unit: use.unit, programs: use.programs,
      since: Timestamp(of: use.since, now: now, since1970: since1970))
  }
}

extension Double {
  /// Rounded to a hundredth of a percent.
  fileprivate var toTenThousandths: Double { (self * 10_000).rounded() / 10_000 }
}

extension StatusObject.Demand {
  fileprivate init(_ demand: Demand, of clients: [Status.ClientDemand], omitted: Int) {
    self.init(
      accuracy: demand.accuracy, interval: demand.interval.wireSeconds, activity: demand.activity,
      clients: clients.map { client in
        StatusObject.ClientDemand(
          principal: PrincipalObject(client.principal), what: client.what, accuracy: client.demand.accuracy,
          interval: client.demand.interval.wireSeconds, activity: client.demand.activity,
          isDecisive: client.isDecisive)
      }, omitted: omitted > 0 ? omitted : nil)
  }
}

extension StatusObject.Power.State {
  init(_ state: PowerState.State) {
    switch state {
    case .on: self = .on
    case .released: self = .released
    case .off: self = .off
    case .turningOn: self = .turningOn
    case .turningOff: self = .turningOff
    case .unknown: self = .unknown
    }
  }
}

extension StatusObject.Gpsd.State {
  fileprivate init(_ source: SourceState) {
    switch source {
    case .idle: self = .idle
    case .opening: self = .opening
    case .streaming: self = .streaming
    case .receiverMissing: self = .receiverMissing
    case .gpsdFull: self = .gpsdFull
    case .gpsdDown: self = .gpsdDown
    }
  }
}

extension StatusObject.Part {
  init(_ part: StatusPart) {
    switch part {
    case .receiver: self = .receiver
    case .power: self = .power
    case .gpsd: self = .gpsd
    case .demand: self = .demand
    case .lastError: self = .lastError
    case .clients: self = .clients
    case .inUse: self = .inUse
    }
  }
}
