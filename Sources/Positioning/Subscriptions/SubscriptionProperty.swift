/// The property of a parameter with values of that type.
package typealias SubscriptionPath<Value> = any WritableKeyPath<SubscriptionParameters, Value> & Sendable

/// The property of a parameter, by the type of its value: what can store these types can store every parameter.
package enum SubscriptionProperty: Sendable {
  case accuracy(SubscriptionPath<AccuracyDemand>)
  case acquisition(SubscriptionPath<Acquisition?>)
  case activity(SubscriptionPath<Activity>)
  case duration(SubscriptionPath<Duration>)
  case flag(SubscriptionPath<Bool>)
  case mode(SubscriptionPath<SubscriptionParameters.Mode>)
  case number(SubscriptionPath<Double>)
  case optionalCount(SubscriptionPath<Int?>)
  case optionalDuration(SubscriptionPath<Duration?>)
  case optionalNumber(SubscriptionPath<Double?>)
  case replay(SubscriptionPath<SubscriptionParameters.Replay>)
}
