package import MPaaSSupport
package import MPaaSTransfer
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Gets symbol files from servers into caches, and keeps those only that are of the right build.
///
/// Files of debuginfod servers go into the cache of debuginfod's client, so that both find them; files of others go
/// into a folder of ours, arranged as `unified` is. A file that no server has is remembered for some time as an empty
/// one. It can be shared between threads.
package final class SymbolServers: Sendable {
  package struct Settings: Sendable, Equatable {
    package var servers: [SymbolServer] = []
    /// The folder of debuginfod's client.
    package var debuginfodCache: String
    /// The folder for everything else.
    package var cache: String
    package var limits = HTTPRequest.Limits()
    /// Seconds without another question for what no server has.
    package var missAge: Int64 = 600

    package init(servers: [SymbolServer] = [], debuginfodCache: String, cache: String) {
      self.servers = servers
      self.debuginfodCache = debuginfodCache
      self.cache = cache
    }
  }

  package let settings: Settings
  private let client: HTTPClient
  private let now: @Sendable () -> Int64
  /// Told of each transfer that is under way.
  private let progress: @Sendable (_ url: String, HTTPProgress) -> Void
  /// Told of servers that fail, each once.
  private let problem: @Sendable (Diagnostic) -> Void
  /// Servers that are not asked again in this run.
  private let failed = Mutex<Set<SymbolServer>>([])

  package init(
    _ settings: Settings, client: HTTPClient,
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
    progress: @escaping @Sendable (_ url: String, HTTPProgress) -> Void = { _, _ in },
    problem: @escaping @Sendable (Diagnostic) -> Void = { _ in }
  ) {
    self.settings = settings
    self.client = client
    self.now = now
    self.progress = progress
    self.problem = problem
  }

  /// Gets the file of a build from the first server that has it, or from the caches.
  ///
  /// - Returns: Its path, nil where no server has it; and the places asked, in order.
  func fetch(_ query: SymbolLayout.Query) -> (path: String?, searched: [SearchedPlace]) {
    var searched: [SearchedPlace] = []
    for server in settings.servers {
      for path in server.layout.paths(for: query) {
        let url = server.url + "/" + path.percentEscapedPath
        let outcome = fetch(url, query, server)
        searched.append(SearchedPlace(place: .server, path: url, outcome: outcome))
        if outcome == .found { return (cachePath(query, server), searched) }
      }
    }
    return (nil, searched)
  }

  /// A source file that the debug information of a build names, from the debuginfod servers.
  package func source(_ path: String, of id: BuildID) -> String? {
    let name = "source" + path.replacing("/", with: "##")
    return artefact(id, "source/" + (path.hasPrefix("/") ? String(path.dropFirst()) : path), name: name)
  }

  /// The bytes of a section of a build's debug file, such as `.debug_line`, from the debuginfod servers.
  package func section(_ section: String, of id: BuildID) -> String? {
    artefact(id, "section/" + section, name: "section-" + section)
  }

  private func artefact(_ id: BuildID, _ path: String, name: String) -> String? {
    // A file system takes no longer name.
    guard name.utf8.count <= 255, !name.contains("/") else { return nil }
    let target = "\(settings.debuginfodCache)/\(id.hex)/\(name)"
    for server in settings.servers where server.layout == .debuginfod {
      let url = "\(server.url)/buildid/\(id.hex)/\(path.percentEscapedPath)"
      if get(url, to: target, miss: missPath(url, id), server, accept: { _ in true }) == .found { return target }
    }
    return nil
  }
}

extension SymbolServers {
  private func fetch(_ url: String, _ query: SymbolLayout.Query, _ server: SymbolServer) -> SearchedPlace.Outcome {
    let target = cachePath(query, server)
    let miss = missPath(url, query.buildID)
    let found = Mutex<SearchedPlace.Outcome>(.unreadable)
    let outcome = get(url, to: target, miss: miss, server) { path in
      let outcome = Self.check(path, query.buildID)
      found.withLock { $0 = outcome }
      return outcome == .found
    }
    guard case .unreadable = outcome else { return outcome }
    return found.withLock { $0 }
  }

  /// Tells whether a file that came is of the build that was asked for.
  private static func check(_ path: String, _ id: BuildID) -> SearchedPlace.Outcome {
    let images = DebugFileSearch.images(at: path)
    guard let first = images.first else { return .unreadable }
    return images.contains { $0.buildID?.isSameBuild(as: id) == true } ? .found : .otherBuild(first.buildID)
  }

  /// Gets a URL unless the cache has it, or knows that it is not there; `.unreadable` where it was refused.
  private func get(
    _ url: String, to target: String, miss: String, _ server: SymbolServer, accept: @escaping @Sendable (String) -> Bool
  ) -> SearchedPlace.Outcome {
    if let status = FileStatus(target), status.size > 0 { return accept(target) ? .found : .unreadable }
    if isKnownMiss(miss) { return .absent }
    if failed.withLock({ $0.contains(server) }) { return .absent }
    var request = HTTPRequest(url, limits: settings.limits)
    // Symbol files that are text shrink to a tenth; others are better taken up again where they broke off.
    request.acceptsCompression = url.hasSuffix(".sym")
    let told = progress
    do throws(HTTPError) {
      try createFolder(of: target, url)
      if FileStatus(target)?.size == 0 { try? FileSystem.remove(target) }
      _ = try client.download(HTTPDownload(request, to: target, accept: accept) { told(url, $0) })
      return .found
    } catch {
      // The folder was made for what did not come.
      FileSystem.removeIfEmpty(FileSystem.folder(of: target))
      return outcome(of: error, miss, server)
    }
  }

  private func createFolder(of target: String, _ url: String) throws(HTTPError) {
    do throws(FileError) {
      try Directories.create(FileSystem.folder(of: target))
    } catch {
      throw HTTPError(.file(error), url: url)
    }
  }

  private func outcome(of error: HTTPError, _ miss: String, _ server: SymbolServer) -> SearchedPlace.Outcome {
    if error.isAbsence {
      // Failing to remember only costs a question.
      try? Directories.create(FileSystem.folder(of: miss))
      try? Bytes.empty.write(to: miss)
      return .absent
    }
    if error.code == .notAccepted {
      problem(error.diagnostic)
      return .unreadable
    }
    // One answer of a server may be too large or refused; one that does not answer at all will not do so next time.
    switch error.code {
    case .tooLarge, .status(400..<500): problem(error.diagnostic)
    default: if failed.withLock({ $0.insert(server).inserted }) { problem(error.diagnostic) }
    }
    return .failed(error.diagnostic)
  }
}

// MARK: - Caches

extension SymbolServers {
  private func cachePath(_ query: SymbolLayout.Query, _ server: SymbolServer) -> String {
    let hex = query.buildID.hex
    if server.layout == .debuginfod { return "\(settings.debuginfodCache)/\(hex)/\(query.role.rawValue)" }
    return "\(settings.cache)/\(hex.prefix(2))/\(hex.dropFirst(2))/\(query.role.rawValue)"
  }

  /// An empty file that says since when a server is known not to have it.
  ///
  /// Not in debuginfod's cache: what stands there counts for all servers, and others may be asked next time.
  private func missPath(_ url: String, _ id: BuildID) -> String {
    // FNV-1a.
    let hash = url.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(settings.cache)/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))/missing-\(String(hash, radix: 16))"
  }

  private func isKnownMiss(_ path: String) -> Bool {
    guard let status = FileStatus(path), status.size == 0 else { return false }
    let age = now() - status.modified
    return age >= 0 && age < settings.missAge
  }
}
