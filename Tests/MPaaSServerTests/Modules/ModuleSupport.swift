import Foundation
import MPaaSModulesTestSupport
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension SignedModules {
  /// A registry of three modules: `Payment` needs `Network`, and comes with `Log` where that is wanted.
  static func shop(days: [String: Int] = [:], made: Date = Date()) throws -> SignedModules {
    var new = Module("Payment", "2.0.0", needs: ["Network": "^3"])
    new.summary = "Pays <script>alert(1)</script> for shops."
    new.optional = ["Log": "^1"]
    let all = [
      Module("Payment", "1.3.0", needs: ["Network": "^2"]), new, Module("Network", "2.4.0"),
      Module("Network", "3.0.0"), Module("Log", "1.0.0"),
    ]
    return try SignedModules(all, days: days, made: made)
  }

  /// Writes the file that has a server offer them.
  ///
  /// - Parameters:
  ///   - addresses: Its own folder where none are given.
  ///   - root: The file with the root that it is trusted by; nil for its own.
  /// - Returns: The path of the file.
  func offer(in folder: TemporaryFolder, at addresses: [String]? = nil, root: String? = nil) throws -> String {
    let addresses = addresses ?? [path]
    let list = addresses.dropFirst().map { "\"\($0)\"" }.joined(separator: ", ")
    let text = """
      [registries.main]
      url = "\(addresses[0])"
      mirrors = [\(list)]
      root = "\(root ?? self.root)"

      """
    let file = folder.path + "/modules.toml"
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }
}

/// Brings an unpacked project into step by the built command, as somebody who knows no registry.
func sync(_ project: TemporaryFolder, _ options: String...) throws -> Command.Outcome {
  try Command.run(
    "mpaas", ["module", "sync", "--frozen"] + options,
    environment: ["MPAAS_HOME": project.path + "/home", "LC_ALL": "C"], directory: project.url)
}

extension TestServer {
  /// A server that offers the modules of a registry.
  ///
  /// - Parameters:
  ///   - mirrors: The addresses of it; its folder where none are given.
  ///   - root: The file with the root that it is trusted by; nil for its own.
  static func offering(
    _ registry: SignedModules, at mirrors: [String]? = nil, root: String? = nil, time: Time? = nil
  ) async throws -> TestServer {
    let folder = try TemporaryFolder()
    let file = try registry.offer(in: folder, at: mirrors, root: root)
    let server = try await TestServer(in: folder, time: time) { $0.modules = file }
    server.keep(registry.folder)
    return server
  }

  /// The path of the first app's modules.
  var modules: String { "\(ConsolePaths.apps)/\(run.ready.appKey)/modules" }
  /// The page of them.
  var modulePage: String { "/apps/\(run.ready.appKey)/modules" }

  func choose(_ json: String, _ headers: [String: String] = [:]) async throws -> TestAnswer {
    try await send("PUT", modules, headers, body: Array(json.utf8))
  }

  /// Chooses modules that fit together.
  func chosen(_ json: String) async throws -> ModuleChoiceEntry {
    let answer = try await choose(json)
    try #require(answer.status == 200, "\(answer.text)")
    return try JSONDecoder().decode(ModuleChoiceEntry.self, from: Data(answer.body))
  }
}
