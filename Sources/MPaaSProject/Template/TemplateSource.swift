import MPaaSModules
package import MPaaSSupport
package import MPaaSToolSupport

/// The source that `--from` names: a folder, an archive, or a git repository.
package enum TemplateSource: Sendable, Equatable {
  case folder(String)
  /// A zip, or a tar that is plain or compressed.
  case archive(String)
  /// A branch, tag or commit; nil is what the repository shows first.
  case repository(address: String, reference: String?)

  /// - Throws: `TemplateError` `template-source-missing`.
  package init(_ text: String) throws(TemplateError) {
    switch FileStatus(text)?.kind {
    case .folder?: self = .folder(text)
    case .file?: self = .archive(text)
    default:
      let sign = text.lastIndex(of: "#")
      let address = sign.map { String(text[..<$0]) } ?? text
      let reference = sign.map { String(text[text.index(after: $0)...]) }
      let isThere = Kit.isAddress(address) || (sign != nil && FileStatus(address)?.kind == .folder)
      // Neither may look like an option to git.
      guard isThere, !address.hasPrefix("-"), reference?.hasPrefix("-") != true, reference != "" else {
        throw TemplateError(.sourceMissing, ["source": String(text.prefix(200))])
      }
      self = .repository(address: address, reference: reference)
    }
  }

  /// The source as it is found from whatever folder: files and folders by their whole path.
  package var settled: String {
    func whole(_ path: String) -> String { FileSystem.resolved(path) ?? path }
    switch self {
    case .folder(let path), .archive(let path): return whole(path)
    case .repository(let address, let reference):
      return (Kit.isAddress(address) ? address : whole(address)) + (reference.map { "#" + $0 } ?? "")
    }
  }

  /// Hands over a folder with what the source holds; of an archive or a repository, a temporary one.
  ///
  /// Ctrl-C waits until that is removed.
  ///
  /// - Throws: `TemplateError`, also that of `body`.
  package func open<Value>(
    temporary: TemporaryPlace, _ processes: ProcessRunner = .live, _ body: (String) throws(TemplateError) -> Value
  ) throws(TemplateError) -> Value {
    if case .folder(let folder) = self { return try body(folder) }
    return try InterruptionHold.during { (hold) throws(TemplateError) in
      let folder: String
      do throws(FileError) {
        folder = try temporary.makeFolder("mpaas-template")
      } catch {
        throw TemplateError(error)
      }
      defer { FileSystem.removeTree(folder) }
      switch self {
      case .folder: break
      case .archive(let file): try Self.unpack(file, to: folder)
      case .repository(let address, let reference): try Self.fetch(address, reference, to: folder, processes)
      }
      do throws(FileError) { try hold.check() } catch { throw TemplateError(error) }
      return try body(Self.content(of: folder))
    }
  }

  /// Archives of repositories have one folder that all is in.
  private static func content(of folder: String) -> String {
    let entries = ((try? FileSystem.entries(in: folder)) ?? []).filter { $0.name != ".git" }
    guard entries.count == 1, entries[0].kind == .folder, entries[0].name != "templates" else { return folder }
    let inner = folder + "/" + entries[0].name
    // A folder of that one template is a folder of templates.
    return FileStatus(inner + "/" + TemplateManifest.fileName) == nil ? inner : folder
  }

  // MARK: - Archives

  private static func unpack(_ file: String, to folder: String) throws(TemplateError) {
    var limits = ModuleArchiveLimits()
    limits.files = RenderedTree.limits.files
    limits.entries = RenderedTree.limits.files * 2
    limits.bytes = UInt64(RenderedTree.limits.bytes)
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.mapping(file) } catch { throw TemplateError(error) }
    var fault: TemplateError?
    do throws(ModuleError) {
      // Nothing gets its path before the reader has seen that no link leads out; links are no part of templates.
      try ModuleArchiveReader(limits: limits).read(bytes, name: file) { (entry) throws(ModuleError) in
        if case .link = entry.kind { fault = TemplateError(.link, ["path": entry.path], at: .file(file)) }
        guard fault == nil, case .file(let isExecutable) = entry.kind else { return }
        let body = try entry.body(limit: RenderedTree.limits.bytes)
        do throws(FileError) {
          let place = folder + "/" + entry.path
          try Directories.create(FileSystem.folder(of: place))
          try RenderedTree.File(bytes: body.array, isExecutable: isExecutable).write(to: place, isSettled: false)
        } catch {
          fault = TemplateError(error)
        }
      }
    } catch {
      throw TemplateError(error)
    }
    if let fault { throw fault }
  }

  // MARK: - Repositories

  /// Brings one commit without its history: no hooks are run, no submodules brought, and there is no question for a
  /// password.
  private static func fetch(
    _ address: String, _ reference: String?, to folder: String, _ processes: ProcessRunner
  ) throws(TemplateError) {
    let quiet = ["-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false", "-c", "init.defaultBranch=main"]
    try git(quiet + ["init", "--quiet", "--template=", folder], address, processes)
    let place = quiet + ["-C", folder]
    // A path is seen from where git runs.
    let source = Kit.isAddress(address) ? address : FileSystem.resolved(address) ?? address
    let wanted = ["fetch", "--quiet", "--depth", "1", "--no-tags", "--no-recurse-submodules", "--", source]
    try git(place + wanted + [reference ?? "HEAD"], address, processes)
    try git(place + ["checkout", "--quiet", "--force", "FETCH_HEAD"], address, processes)
  }

  private static func git(
    _ arguments: [String], _ address: String, _ processes: ProcessRunner
  ) throws(TemplateError) {
    let script = "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; GIT_TERMINAL_PROMPT=0; export GIT_TERMINAL_PROMPT;"
    let outcome: ProcessRunner.Outcome
    do throws(FileError) {
      // Both streams: why it failed stands in the other.
      outcome = try processes.run(
        .init("sh", ["-c", script + " exec git \"$@\" 2>&1", "git"] + arguments, capturesOutput: true))
    } catch {
      throw TemplateError(error)
    }
    guard outcome.status != 127 else { throw TemplateError(.gitMissing) }
    guard outcome.status == 0 else {
      let reason = outcome.output.split(separator: "\n").first.map { $0.filter { !$0.isNewline && $0 >= " " } } ?? ""
      throw TemplateError(.gitFailed, ["source": address, "reason": String(reason.prefix(300))])
    }
  }
}
