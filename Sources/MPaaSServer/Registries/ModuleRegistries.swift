import MPaaSModules
import MPaaSProtocol
import MPaaSSupport
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The registries whose modules apps may choose: signed repositories that a file names, each with the root that it is
/// trusted by.
///
/// Their offers are verified anew once a minute where somebody asks, and when some of them have expired. Where one is not
/// to be trusted or does not answer, none offers anything: a module of the next one must not take its place.
final class ModuleRegistries: Sendable {
  /// Seconds for which an answer holds, and those for which a failure does.
  private static let freshness = 60.0
  private static let pause = 5.0
  static let userAgent = "mpaas"

  /// A question to all registries.
  private struct Question {
    let number: Int
    let asked: Double
    let task: Task<ModuleCatalog, any Error>
    /// The time up to which its answer holds; nil until there is one.
    var end: Double?
  }

  /// In the order in which they are asked.
  let registries: [Registry]
  /// The folder of what is trusted of them and of archives on their way.
  let directories: Directories
  let threads = ModuleThreads()
  private let now: @Sendable () -> Double
  private let question = Mutex<Question?>(nil)

  /// Reads the file: `[registries.NAME]` with `url`, `mirrors` and `root`, as `mpaas.toml` has them.
  ///
  /// - Returns: nil where the server is to offer none.
  /// - Throws: `ModuleError` with the line that cannot be used, `server-modules-file` where it names no registry.
  init?(_ configuration: ServerConfiguration, now: @escaping @Sendable () -> Double) throws {
    guard let file = configuration.modules else { return nil }
    self.now = now
    directories = Directories(environment: ["MPAAS_HOME": "\(configuration.data)/modules"])
    let manifest = try ProjectManifest(reading: try Bytes.reading(file, limit: 1 << 20).text, file: file)
    guard !manifest.registries.isEmpty else { throw ServerError(.modulesFile, ["path": file]) }
    registries = try RegistryConfiguration(
      directories: directories, project: manifest.registries, in: FileSystem.folder(of: file)
    ).registries
  }

  /// The offers of all registries, verified.
  ///
  /// - Throws: `ModuleError` of the first that is not to be trusted or does not answer.
  func catalog() async throws -> ModuleCatalog {
    let time = now()
    let task = question.withLock { question in
      if let known = question, known.end.map({ time < $0 && time >= known.asked }) ?? true { return known.task }
      let number = (question?.number ?? 0) + 1
      let task = Task.detached(executorPreference: threads) { try await self.load(number) }
      question = Question(number: number, asked: time, task: task)
      return task
    }
    return try await task.value
  }

  /// The addresses of a registry that lead there from other machines, without a name and a password.
  static func addresses(of registry: Registry) -> [String] {
    registry.mirrors.filter { RegistryAddress.isURL($0) && !$0.hasPrefix("file:") }.map { address in
      guard let start = address.firstRange(of: "://")?.upperBound else { return address }
      let host = address[start...].prefix { $0 != "/" }
      guard let sign = host.lastIndex(of: "@") else { return address }
      return String(address[..<start] + address[address.index(after: sign)...])
    }
  }

  /// Asks all registries at the next question, whatever is known.
  func forget() { question.withLock { if $0?.end != nil { $0?.end = 0 } } }

  private func load(_ number: Int) async throws -> ModuleCatalog {
    let now = now
    let loader = CatalogLoader(
      RegistryConfiguration(registries: registries), userAgent: Self.userAgent,
      now: { Date(timeIntervalSince1970: now()) })
    do throws(ModuleError) {
      let catalog = try await loader.load(.now)
      let end = min(now() + Self.freshness, Self.expiry(of: catalog))
      settle(number, until: end)
      return catalog
    } catch {
      settle(number, until: now() + Self.pause)
      throw error
    }
  }

  private func settle(_ number: Int, until end: Double) {
    question.withLock { if $0?.number == number { $0?.end = end } }
  }

  /// The time at which the first part of what is trusted ends.
  private static func expiry(of catalog: ModuleCatalog) -> Double {
    catalog.registries.compactMap { $0.expires?.timeIntervalSince1970 }.min() ?? 0
  }
}

extension CodedError<ServerDomain>.Code {
  /// The file about modules names no registry.
  static var modulesFile: Self { ServerError.Code("server-modules-file", exit: .badConfiguration) }
  /// The server offers no modules.
  static var modulesOff: Self { ServerError.Code("server-modules-off", exit: .badConfiguration) }
  /// The choice of an app is another meanwhile.
  static var modulesChanged: Self { ServerError.Code("server-modules-changed", exit: .tryAgain) }
}
