import Foundation
import MPaaSTestSupport
import Testing

/// A signed repository of a test's own with versions of the app SHOP, and commands that publish into it.
struct PublishedUpdates {
  let home: TemporaryFolder

  var repository: String { home.path + "/repository" }
  var root: String { home.path + "/root.json" }

  /// Begins a repository with version 1.0 for macOS, which all devices get.
  init() throws {
    home = try TemporaryFolder()
    for (name, numbers) in [("1.0.pkg", 1...20_000), ("1.1.pkg", 3...20_100)] {
      try write(numbers.map { "\($0)\n" }.joined(), to: name)
    }
    try done("key", "generate", "--name", "release", "--unencrypted")
    try done("registry", "init", repository, "--key", "release")
    try FileManager.default.copyItem(atPath: repository + "/metadata/1.root.json", toPath: root)
    try publish("1.0")
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: home.url.appending(path: name))
  }

  func path(_ name: String) -> String { home.path + "/" + name }

  /// Calls the command with the repository in the environment.
  func command(_ arguments: [String]) throws -> Command.Outcome {
    try mpaas(arguments, home: home, environment: ["MPAAS_REPOSITORY": repository])
  }

  /// Calls the command, which must do what is asked.
  @discardableResult
  func done(_ arguments: String...) throws -> Command.Outcome {
    let outcome = try command(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome)")
    return outcome
  }

  @discardableResult
  func publish(_ version: String, _ options: String...) throws -> [String: Any] {
    let words = ["update", "publish", path("\(version).pkg"), "--app", "SHOP", "--app-version", version]
    let outcome = try command(words + ["--platform", "macos", "--key", "release", "--json"] + options)
    try #require(outcome.status == 0, "\(outcome)")
    return try json(outcome.output)
  }

  /// Changes a version: `update VERB VERSION`.
  @discardableResult
  func change(_ verb: String, _ version: String, _ options: String...) throws -> [String: Any] {
    let outcome = try command(["update", verb, version, "--key", "release", "--json"] + options)
    try #require(outcome.status == 0, "\(verb): \(outcome)")
    return try #require(try json(outcome.output)["release"] as? [String: Any])
  }

  /// The answer that a device gets, and the exit status.
  func check(_ installed: String, _ options: String...) throws -> (answer: [String: Any], status: Int32) {
    let words = ["update", "check", "--root", root, "--app", "SHOP", "--app-version", installed]
    let outcome = try command(words + ["--platform", "macos", "--json"] + options)
    return (outcome.output.isEmpty ? ["errors": outcome.errors] : try json(outcome.output), outcome.status)
  }

  /// The version that is offered; nil where there is none.
  func offered(to installed: String, _ device: String = "d1") throws -> String? {
    let (answer, status) = try check(installed, "--device", device)
    #expect(status == 0, "\(answer)")
    #expect(answer["update_available"] as? Bool == (answer["release"] != nil))
    return (answer["release"] as? [String: Any])?["version"] as? String
  }
}
