import MPaaSSupport
package import MPaaSTransferTools
import Synchronization

/// Answers the requests of debuginfod's protocol from the store and from given paths.
///
/// It can be shared between threads. Source files are given only where the debug information of the build names them
/// and they lie below one of the folders that were allowed.
///
/// - Source: debuginfod(8), WEBAPI.
package final class DebuginfodService: Sendable {
  private let search: DebugFileSearch
  /// Resolved folders.
  private let sourceRoots: [String]

  private struct State {
    /// Answers so far, by kind of request and status.
    var answers: [String: [Int: Int]] = [:]
    /// The source files that builds name.
    var sources: [BuildID: Set<String>] = [:]
  }

  private let state = Mutex(State())
  /// As many builds' lists of source files are kept.
  private static let mostSources = 16

  /// - Parameters:
  ///   - paths: Files and folders to offer besides the store.
  ///   - sourceRoots: Folders whose source files may be given.
  package init(store: SymbolStore, paths: [String], sourceRoots: [String]) {
    search = DebugFileSearch(paths: paths, store: store, roots: [])
    self.sourceRoots = sourceRoots.compactMap { FileSystem.resolved($0) }
  }

  /// Goes through the given paths, so that the first request need not wait for it; how many builds are there.
  @discardableResult
  package func prepare() -> Int { search.given.contents.builds.count }

  /// The answer to a path, percent escapes taken out.
  package func answer(_ path: String) -> HTTPAnswer {
    let parts = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: true).map(String.init)
    let answer: HTTPAnswer
    var kind = "other"
    if parts == ["metrics"] {
      kind = "metrics"
      answer = HTTPAnswer(
        200, headers: [("Content-Type", "text/plain; version=0.0.4")], body: .bytes(Array(metrics.utf8)))
    } else if parts.count >= 3, parts[0] == "buildid", let id = BuildID(hex: parts[1]) {
      let found = self.answer(id, parts[2], parts.count > 3 ? parts[3] : nil)
      if found != nil || Self.kinds.contains(parts[2]) { kind = parts[2] }
      answer = found ?? HTTPAnswer(404, text: "not found\n")
    } else {
      answer = HTTPAnswer(404, text: "not found\n")
    }
    state.withLock { $0.answers[kind, default: [:]][answer.status, default: 0] += 1 }
    return answer
  }

  private static let kinds: Set<String> = ["debuginfo", "executable", "source", "section"]

  private func answer(_ id: BuildID, _ kind: String, _ rest: String?) -> HTTPAnswer? {
    switch (kind, rest) {
    case ("debuginfo", nil): debugFile(id).flatMap { whole($0.path) }
    case ("executable", nil): program(id).flatMap { whole($0.path) }
    case ("section", let name?): section(name, id)
    case ("source", let path?): source("/" + path, id)
    default: nil
    }
  }

  private var metrics: String {
    var lines = ["# TYPE http_responses_total counter"]
    for (kind, counts) in state.withLock({ $0.answers }).sorted(by: { $0.key < $1.key }) {
      for (status, count) in counts.sorted(by: { $0.key < $1.key }) {
        lines.append("http_responses_total{type=\"\(kind)\",code=\"\(status)\"} \(count)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

// MARK: - Files

extension DebuginfodService {
  /// The file with the DWARF of a build; Breakpad's text is not for debuggers.
  private func debugFile(_ id: BuildID) -> LocatedImage? {
    guard let found = search.find(path: nil, buildID: id).debugFile else { return nil }
    return found.image.hasDebugInfo && found.image.format != .breakpad ? found : nil
  }

  private func program(_ id: BuildID) -> LocatedImage? {
    let finding = search.find(path: nil, buildID: id)
    return [finding.executable, finding.debugFile].compactMap { $0 }.first { $0.image.hasCode }
  }

  private func whole(_ path: String) -> HTTPAnswer? {
    guard let status = FileStatus(path), status.kind == .file else { return nil }
    return part(of: path, status, 0, status.size)
  }

  private func part(of path: String, _ status: FileStatus, _ offset: UInt64, _ size: UInt64) -> HTTPAnswer {
    let name = String(FileSystem.name(of: path).unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7f })
    let tag = status.identity.map { String($0, radix: 16) }.joined(separator: "-") + "-\(status.modified)-\(offset)"
    return HTTPAnswer(
      200,
      headers: [
        ("Content-Type", "application/octet-stream"), ("X-DEBUGINFOD-SIZE", String(size)),
        ("X-DEBUGINFOD-FILE", name), ("ETag", "\"\(tag)\""),
      ], body: .file(path: path, offset: offset, size: size))
  }

  /// The bytes of a section as they stand in the debug file, else in the program.
  private func section(_ name: String, _ id: BuildID) -> HTTPAnswer? {
    for file in [debugFile(id), program(id)].compactMap({ $0 }) {
      guard let image = file.image as? ELFImage, let section = image.section(named: name),
        section.type != .noBits, let status = FileStatus(file.path),
        image.bytes.slice(at: section.offset, size: section.size) != nil
      else { continue }
      return part(of: file.path, status, section.offset, section.size)
    }
    return nil
  }
}

// MARK: - Sources

extension DebuginfodService {
  private func source(_ path: String, _ id: BuildID) -> HTTPAnswer? {
    guard !sourceRoots.isEmpty, let wanted = SourceFiles.normalised(path), sources(of: id).contains(wanted) else {
      return nil
    }
    for root in sourceRoots {
      for candidate in Self.candidates(wanted, below: root) {
        // Links count as what they lead to: nothing outside of the folder is given.
        guard let real = FileSystem.resolved(candidate), real.hasPrefix(root == "/" ? root : root + "/") else {
          continue
        }
        if let answer = whole(real) { return answer }
      }
    }
    return nil
  }

  /// The places where a source file may be below a folder: at its own path, under the folder, and there without its
  /// first parts.
  private static func candidates(_ path: String, below root: String) -> [String] {
    let parts = path.split(separator: "/")
    return [path] + (0..<min(parts.count, 64)).map { root + "/" + parts[$0...].joined(separator: "/") }
  }

  private func sources(of id: BuildID) -> Set<String> {
    if let known = state.withLock({ $0.sources[id] }) { return known }
    let finding = search.find(path: nil, buildID: id)
    guard let debug = finding.debugFile, debug.image.hasDebugInfo else { return [] }
    let named = SourceFiles.named(by: debug.image, companions: finding.companions)
    state.withLock { state in
      if state.sources.count >= Self.mostSources { state.sources.removeAll() }
      state.sources[id] = named
    }
    return named
  }
}
