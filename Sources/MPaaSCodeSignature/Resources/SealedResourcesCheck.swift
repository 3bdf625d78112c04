import MPaaSDigests
package import MPaaSSupport

/// Compares the files of a bundle, one after another in any order, with those that were sealed.
///
/// Nothing of a file is kept but its path, so that an archive can be gone through once.
package struct SealedResourcesCheck: Sendable {
  private let resources: SealedResources
  private var seen: Set<String> = []
  private var changed: [String] = []
  private var added: [String] = []
  private var foreign: [String] = []
  /// The main program, which has its own signature.
  private let executable: String?

  /// The most paths that are told one by one.
  private static let mostTold = 64

  /// - Parameter executable: The path of the bundle's main program (`CFBundleExecutable`; `MacOS/…` in `Contents`).
  package init(_ resources: SealedResources, executable: String?) {
    self.resources = resources
    self.executable = executable
  }

  /// The paths at which the list names code with a signature of its own: a file or a folder.
  package var nestedCode: [String] {
    resources.entries.values.compactMap { if case .code = $0.seal { $0.path } else { nil } }.sorted()
  }

  /// Tells whether the content of a file is needed: it is sealed by a digest.
  package func needsContent(of path: String) -> Bool {
    if case .digests? = resources.entries[path]?.seal { true } else { false }
  }

  /// Takes a file of the bundle.
  ///
  /// - Parameter path: Its path from the bundle's root, or from `Contents` where it has such.
  package mutating func add(_ path: String, content: Bytes) {
    guard let entry = known(path) else { return }
    guard case .digests(let digests) = entry.seal else { return note(changed: path, unless: isCode(entry)) }
    let holds = withExtendedLifetime(content) {
      digests.allSatisfy { digest in
        switch digest.count {
        case 20: DigestAlgorithm.sha1.digest(of: content) == digest
        case 32: DigestAlgorithm.sha256.digest(of: content) == digest
        default: false
        }
      }
    }
    note(changed: path, unless: holds)
  }

  /// Takes a symbolic link of the bundle.
  package mutating func add(_ path: String, linkTo destination: String) {
    guard let entry = known(path) else { return }
    note(changed: path, unless: entry.seal == .link(destination))
  }

  /// Takes the signature of code that lies in the bundle, with the cdhashes of all its images.
  package mutating func add(_ path: String, cdhashes: [[UInt8]]) {
    guard let entry = resources.entries[path], case .code(let sealed) = entry.seal else { return }
    seen.insert(path)
    if !cdhashes.contains(sealed) { foreign.append(path) }
  }

  /// The entry of a path that the rules seal; what has none was added.
  private mutating func known(_ path: String) -> SealedResources.Entry? {
    if path == executable { return nil }
    if let entry = resources.entries[path] {
      seen.insert(path)
      return entry
    }
    let isInCode = nestedPrefix(of: path) != nil
    if !isInCode, resources.expectation(of: path) != .omitted { added.append(path) }
    return nil
  }

  /// The nested code that a path belongs to.
  private func nestedPrefix(of path: String) -> String? {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      let prefix = String(path[..<slash])
      if let entry = resources.entries[prefix], isCode(entry) { return prefix }
      end = path.index(after: slash)
    }
    return nil
  }

  private func isCode(_ entry: SealedResources.Entry) -> Bool { if case .code = entry.seal { true } else { false } }

  private mutating func note(changed path: String, unless holds: Bool) {
    if !holds { changed.append(path) }
  }

  /// Tells, when all files were taken, which ones are missing, changed or added.
  package func findings() -> [SignatureFinding] {
    // Nested code is judged where its signature was given.
    let missing = resources.entries.values.filter { !$0.isOptional && !seen.contains($0.path) && !isCode($0) }
      .map(\.path)
    return [
      ("scan-resource-missing", missing), ("scan-resource-changed", changed), ("scan-resource-added", added),
      ("scan-resource-code", foreign),
    ].flatMap { (id: DiagnosticID, paths: [String]) in
      paths.sorted().prefix(Self.mostTold).map {
        SignatureFinding(id, at: nil, ["path": $0, "count": "\(paths.count)"])
      }
    }
  }
}
