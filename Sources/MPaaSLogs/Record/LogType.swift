/// The purpose of a record; each type has files of its own, in a folder of its name.
public struct LogType: RawRepresentable, Sendable, Hashable {
  /// The name of the type, which is that of its folder, too.
  public let rawValue: String

  /// Makes a type from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The records by which developers find faults: `Log.info` and the like.
  public static let diagnostic = LogType(rawValue: "diagnostic")
  /// The actions of users: monitor points.
  public static let behavior = LogType(rawValue: "behavior")
  /// Crashes of the app.
  public static let crash = LogType(rawValue: "crash")
  /// Pages that open and close by themselves.
  public static let automation = LogType(rawValue: "automation")
  /// Measurements of speed and of resources.
  public static let performance = LogType(rawValue: "performance")
  /// That the app runs.
  public static let alive = LogType(rawValue: "alive")
  /// The end of the run before.
  public static let termination = LogType(rawValue: "termination")
  /// Conditions of networks; `mpaas net record` reads them.
  public static let network = LogType(rawValue: "network")
}
