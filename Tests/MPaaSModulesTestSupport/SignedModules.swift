package import Foundation
import MPaaSModuleTools
package import MPaaSModules
package import MPaaSSupport
package import MPaaSTestSupport
package import MPaaSTrust
package import MPaaSTrustTools
import Synchronization
import Testing

/// A signed registry of modules in a folder, made without running a command.
package struct SignedModules: Sendable {
  package struct Module: Sendable {
    package let name: String
    package let version: String
    package var needs: [String: String] = [:]
    /// Bytes of a file that does not compress.
    package var size = 0
    /// A sentence in English.
    package var summary: String?
    /// Modules that come along where they are wanted.
    package var optional: [String: String] = [:]

    package init(_ name: String, _ version: String, needs: [String: String] = [:], size: Int = 0) {
      self.name = name
      self.version = version
      self.needs = needs
      self.size = size
    }
  }

  package let folder: TemporaryFolder
  package let key: SigningKey
  package var path: String { folder.path + "/repo" }
  package var root: String { path + "/metadata/1.root.json" }

  /// - Parameters:
  ///   - days: For which metadata of a role is valid.
  ///   - made: When its metadata is made.
  package init(_ modules: [Module] = [], days: [String: Int] = [:], made: Date = Date()) throws {
    folder = try TemporaryFolder()
    key = try SigningKey.generate()
    var plan = RepositoryEditor.Plan(offline: [key.verificationKey], online: [key.verificationKey])
    plan.settings.days = days
    #expect(try RepositoryEditor(path) { made }.create(plan, keys: [key]).isComplete)
    if !modules.isEmpty { try publish(modules, at: made) }
  }

  package func edit(
    at time: Date = Date(), with keys: [SigningKey] = [], _ change: (inout RepositoryDraft) throws(TrustError) -> Void
  ) throws {
    #expect(try RepositoryEditor(path) { time }.edit(keys: [key] + keys, change).isComplete)
  }

  /// Packs modules and offers them.
  ///
  /// - Parameter role: Who vouches for them, with `keys`.
  package func publish(
    _ modules: [Module], at time: Date = Date(), role: String? = nil, with keys: [SigningKey] = []
  ) throws {
    let archives = try modules.map { module in
      let file = try pack(module)
      return (file: file, check: try ModuleArchiveCheck(Bytes.mapping(file), name: file))
    }
    try edit(at: time, with: keys) { draft throws(TrustError) in
      do throws(ModuleError) {
        var shelf = try ModuleShelf(reading: &draft)
        for archive in archives { _ = try shelf.add(archive.check, file: archive.file, at: 1_700_000_000) }
        do throws(TrustError) { try shelf.write(to: &draft, role: role) } catch { throw ModuleError(error) }
      } catch { throw error.trustError }
    }
  }

  /// Takes a module away with all its versions.
  package func remove(_ name: String) throws {
    #expect(try RepositoryEditor(path) { Date() }.remove([name], wholeModules: true, keys: [key]).isComplete)
  }

  private func pack(_ module: Module) throws -> String {
    let source = "\(folder.path)/modules/\(module.name)-\(module.version)"
    try FileManager.default.createDirectory(atPath: source + "/src", withIntermediateDirectories: true)
    try Data("int a; // \(module.name) \(module.version)\n".utf8).write(to: URL(filePath: source + "/src/a.c"))
    var random = SeededRandom(seed: UInt64(module.size))
    let noise = (0..<module.size / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    try Data(noise).write(to: URL(filePath: source + "/src/noise.c"))
    var text = "[module]\nname = \"\(module.name)\"\nversion = \"\(module.version)\"\n"
    if let summary = module.summary { text += "summary = { en = '\(summary)' }\n" }
    text += "[notes]\nen = \"New in \(module.version)\"\nzh-Hans = \"\(module.version) 的更新\"\n"
    text += "[contents]\nsources = [\"src\"]\n[dependencies]\n"
    for (name, requirement) in module.needs { text += "\(name) = \"\(requirement)\"\n" }
    for (name, requirement) in module.optional {
      text += "\(name) = { version = \"\(requirement)\", optional = true }\n"
    }
    try Data(text.utf8).write(to: URL(filePath: source + "/module.toml"))
    let file = "\(folder.path)/\(module.name)-\(module.version).tar.zst"
    try ModuleArchive.pack(folder: source, to: file)
    return file
  }

  /// A user who trusts it at an address, by itself where none is given.
  package func user(at mirrors: [String]? = nil) throws -> SDKUser {
    let user = SDKUser(folder: try TemporaryFolder())
    try user.trust(self, as: "main", at: mirrors ?? [path])
    return user
  }
}

/// Somebody with a home folder of his own who runs the built command.
package struct SDKUser: Sendable {
  package let folder: TemporaryFolder

  package init(folder: TemporaryFolder) { self.folder = folder }

  package var environment: [String: String] { ["MPAAS_HOME": folder.path + "/home", "LC_ALL": "C"] }
  package var directories: Directories { Directories(environment: environment) }
  package var store: String { directories.modules }

  package func trust(_ registry: SignedModules, as name: String, at mirrors: [String]) throws {
    var known = try UserRegistries(directories)
    _ = try known.add(name, mirrors: mirrors, root: Bytes.reading(registry.root, limit: 1 << 20).array)
  }

  /// The registries as this user saw them at a time.
  package func catalog(_ freshness: CatalogFreshness = .now, at time: Date = Date()) async throws -> ModuleCatalog {
    let configuration = try RegistryConfiguration(directories: directories)
    return try await CatalogLoader(configuration, userAgent: "test", now: { time }).load(freshness)
  }

  package func mpaas(_ arguments: String...) throws -> Command.Outcome { try mpaas(arguments) }
  package func mpaas(_ arguments: [String]) throws -> Command.Outcome {
    try Command.run("mpaas", arguments, environment: environment, directory: folder.url)
  }

  package func rows(_ arguments: String...) throws -> [[String: Any]] {
    let outcome = try mpaas(["sdk"] + arguments + ["--json"])
    #expect(outcome.status == 0 || outcome.status == 1, "\(outcome.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return object?["modules"] as? [[String: Any]] ?? []
  }

  /// The identifier of the error that `mpaas sdk …` ends with.
  package func refusal(_ arguments: String...) throws -> String? {
    let outcome = try mpaas(["sdk"] + arguments + ["--json"])
    let object = try? JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
    return (object?["error"] as? [String: Any])?["code"] as? String
  }

  /// Starts the command and does not wait for it.
  package func start(_ arguments: String...) throws -> Process {
    let process = Process()
    process.executableURL = Command.mpaas
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    return process
  }
}

/// A web server for the folder of a registry that may be slow.
package final class ModulesServer: Sendable {
  private final class State: Sendable {
    /// Requests that wait for an answer now, and at most.
    let waiting = Mutex((now: 0, most: 0))
  }

  package let server: ScriptedServer
  private let state = State()
  package var url: String { server.url }
  /// The number of requests that waited for an answer at the same time.
  package var overlap: Int { state.waiting.withLock { $0.most } }

  /// - Parameters:
  ///   - delay: Seconds before each answer.
  ///   - pace: Microseconds before each 16 KiB of an archive.
  package init(_ folder: String, delay: Double = 0, pace: UInt32 = 0) throws {
    let state = state
    server = try ScriptedServer { request in
      state.waiting.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      if delay > 0 { Thread.sleep(forTimeInterval: delay) }
      state.waiting.withLock { $0.now -= 1 }
      let path = folder + (request.path.removingPercentEncoding ?? "")
      guard let bytes = try? Bytes.reading(path, limit: 1 << 26).array else {
        return [ScriptedServer.answer("404 Not Found")]
      }
      let steps = [ScriptedServer.file(bytes, to: request)]
      return path.hasSuffix(".tar.zst") ? [.pace(microseconds: pace)] + steps : steps
    }
  }

  package func requests(ending suffix: String) -> Int { server.requests.count { $0.path.hasSuffix(suffix) } }
}
