public import JSONRPC
import Positioning

/// All messages of the protocol. A new one is a type and a line here.
public enum PositionMethods {
  /// The protocol's version: major and minor.
  public static let version = "1.0"

  /// What clients send.
  public static let server = MethodRegistry(
    requests: [
      SessionHelloRequest.self,
      DiscoverRequest.self,
      PositionGetRequest.self,
      PositionLastRequest.self,
      PositionSubscribeRequest.self,
      SubscriptionUpdateRequest.self,
      SubscriptionCancelRequest.self,
      SubscriptionPauseRequest.self,
      SubscriptionResumeRequest.self,
      SubscriptionAcquireRequest.self,
      SubscriptionFlushRequest.self,
      SubscriptionListRequest.self,
      RequestListRequest.self,
      RequestCompleteRequest.self,
      RequestCancelRequest.self,
      SkyGetRequest.self,
      SkySubscribeRequest.self,
      VisitSubscribeRequest.self,
      RegionAddRequest.self,
      RegionRemoveRequest.self,
      RegionStateRequest.self,
      RegionListRequest.self,
      DurableAttachRequest.self,
      DurableAcknowledgeRequest.self,
      DurableListRequest.self,
      DurableRemoveRequest.self,
      HeadingGetRequest.self,
      HeadingSubscribeRequest.self,
      TimeGetRequest.self,
      StatusGetRequest.self,
      StatusSubscribeRequest.self,
      AuthorizationGetRequest.self,
      AuthorizationRequestRequest.self,
      AgentRegisterRequest.self,
      AdminClientsRequest.self,
      AdminGrantsRequest.self,
      AdminGrantRequest.self,
      AdminRevokeRequest.self,
      AdminEnableRequest.self,
      AdminDisableRequest.self,
    ],
    notifications: [CancelRequestNotification.self])

  /// What the daemon sends.
  public static let client = MethodRegistry(
    requests: [AgentAuthorizeRequest.self],
    notifications: [
      AuthorizationChangedNotification.self,
      AuthorizationPromptedNotification.self,
      PositionUpdateNotification.self,
      SkyUpdateNotification.self,
      VisitUpdateNotification.self,
      RegionEventNotification.self,
      DurableOverflowNotification.self,
      HeadingUpdateNotification.self,
      StatusUpdateNotification.self,
      SubscriptionEndedNotification.self,
      SessionClosingNotification.self,
      CancelRequestNotification.self,
    ])

  /// The objects that the self-description has under a name.
  public static let objects: [any WireObject.Type] = [
    Fix.self, Sky.self, Heading.self, Diagnostics.self, Principal.self,
    Authorization.self, ClientInfo.self, Grant.self, EnabledResult.self,
    LimitsObject.self, ClockFigure.self, DaemonStatus.Clock.self, DaemonStatus.self, SubscriptionInfo.self,
    SubscriptionResult.self, ListedRequest.self, RequestOutcomeResult.self, Visit.self, RegionInfo.self,
    RegionResult.self, DurableInfo.self,
    DurableWaitingResult.self,
  ]
}

/// The protocol's description of itself, the result of `rpc.discover`.
public enum OpenRPC {
  public static let document = OpenRPCDocument(
    title: "positiond",
    description: """
      Where this device is, for every program on it. JSON-RPC 2.0 over a Unix stream socket, one text on each line. \
      A method may also be answered with an error of JSON-RPC itself, with limitExceeded, or with shuttingDown.
      """,
    server: "unix:///run/positiond/positiond.sock", version: PositionMethods.version, methods: PositionMethods.server,
    unasked: PositionMethods.client,
    objects: PositionMethods.objects.map { $0.description }
  ).json
}

extension WireObject {
  /// The object as the self-description has it, under its name.
  package static var description: (name: String, fields: [FieldDescription]) {
    (self.wire.name ?? "\(self)", self.wire.descriptions)
  }
}
