import MPaaSFramework

/// A record of micro-apps, and what they are to do in their callbacks.
@MainActor final class Recorder {
  @TaskLocal static var current: Recorder?

  var log: [String] = []
  /// Tells whether the last end of each was animated.
  var animated: [String: Bool] = [:]
  var actions: [String: @MainActor (MicroApp) throws -> Void] = [:]
  var refusals: Set<String> = []

  /// Takes what was noted since the last time.
  func take() -> [String] {
    defer { log = [] }
    return log
  }

  /// Lets a callback do something: `on("a.didCreate") { … }`.
  func on(_ step: String, _ action: @escaping @MainActor (MicroApp) throws -> Void) { actions[step] = action }

  func fail(_ step: String) { on(step) { _ in throw Failure(step: step) } }

  struct Failure: Error, Equatable, CustomStringConvertible {
    let step: String
    var description: String { "planned" }
  }
}

/// A micro-app that notes each callback.
final class Probe: MicroAppDelegate {
  let recorder = Recorder.current

  init() {}

  private func note(_ application: MicroApp, _ step: String, _ details: String = "") throws {
    recorder?.log.append("\(application.name).\(step)\(details)")
    try recorder?.actions["\(application.name).\(step)"]?(application)
  }

  func applicationDidCreate(_ application: MicroApp) throws { try note(application, "didCreate") }
  func applicationShouldStart(_ application: MicroApp, options: LaunchOptions) -> Bool {
    recorder?.refusals.contains("\(application.name).start") != true
  }
  func application(_ application: MicroApp, willStartLaunchingWithOptions options: LaunchOptions) throws {
    try note(application, "willStart", options.parameters.isEmpty ? "" : "(\(options.parameters))")
  }
  func applicationDidFinishLaunching(_ application: MicroApp) throws { try note(application, "didFinish") }
  func applicationWillPause(_ application: MicroApp) throws { try note(application, "willPause") }
  func application(_ application: MicroApp, willResumeWithOptions options: LaunchOptions) throws {
    let told = options.parameters.isEmpty ? "\(options.reason)" : "\(options.reason) \(options.parameters)"
    try note(application, "willResume", "(\(told))")
  }
  func applicationDidResume(_ application: MicroApp) throws { try note(application, "didResume") }
  func applicationShouldTerminate(_ application: MicroApp) -> Bool {
    recorder?.refusals.contains("\(application.name).exit") != true
  }
  func applicationWillTerminate(_ application: MicroApp, animated: Bool) throws {
    recorder?.animated[application.name] = animated
    try note(application, "willTerminate")
  }
}

/// Runs a body with a context of the named micro-apps, whose first is the launcher.
@MainActor func withProbes(
  _ names: String..., body: @MainActor (MobileContext, Recorder) throws -> Void
) throws {
  let recorder = Recorder()
  let entries = names.enumerated().map { index, name in
    ApplicationEntry(name: name, delegate: Probe.self, place: SourcePlace("MobileRuntime.plist", line: 10 + index))
  }
  let context = try MobileContext(RuntimeTable(launcher: names.first, applications: entries))
  try Recorder.$current.withValue(recorder) { try body(context, recorder) }
}

extension MobileContext {
  var names: [String] { stack.map(\.name) }
}
