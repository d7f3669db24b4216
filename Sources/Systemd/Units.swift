/// Whoever starts units and knows of them: systemd, through `UnitStarter`, or a test.
///
/// Each completion is called once, from the loop.
package protocol Units: AnyObject {
  /// Starts the unit. For a running unit this succeeds and changes nothing.
  func start(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void)
  /// Starts the unit and waits for the result: of a unit of type oneshot, that it did its work.
  func run(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void)
  /// Asks whether the unit is at work, whoever started it: a unit of type oneshot is until it has ended.
  func ask(_ unit: String, completion: @escaping (Result<Bool, UnitQuestionError>) -> Void)
  /// This process did not run for so long, until now.
  func gapEnded(_ gap: Duration)
}
