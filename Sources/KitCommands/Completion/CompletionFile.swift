import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// The file from which a shell of this user learns to complete our commands.
struct CompletionFile {
  enum Change: String, Encodable, Sendable { case written, current, removed, absent }

  let shell: CompletionReply.Shell
  let path: String
  /// The file that the shell reads at its start; nil where it finds `path` by itself.
  let startFile: String?
  /// The line for `startFile`.
  let startLine: String

  init(_ shell: CompletionReply.Shell, environment: [String: String]) throws {
    func folder(_ name: String) -> String? { environment.variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let base = BaseFolders(environment: environment)
    guard let home = base.home, let data = base.data, let configuration = base.configuration else {
      throw Diagnostic("completion-no-home", exit: .badConfiguration)
    }
    self.shell = shell
    switch shell {
    case .bash:
      path = (folder("BASH_COMPLETION_USER_DIR") ?? data + "/bash-completion") + "/completions/mpaas"
      let isLoaded = Self.bashCompletion.contains { FileStatus($0) != nil }
      startFile = isLoaded ? nil : home + "/.bashrc"
      startLine = "source \(path.shellWord())"
    case .zsh:
      path = data + "/zsh/site-functions/_mpaas"
      startFile = (folder("ZDOTDIR") ?? home) + "/.zshrc"
      startLine = "fpath=(\(FileSystem.folder(of: path).shellWord()) $fpath); autoload -Uz compinit; compinit"
    case .fish:
      path = configuration + "/fish/completions/mpaas.fish"
      startFile = nil
      startLine = ""
    }
  }

  /// The places of the package that loads completions for bash when they are needed.
  private static let bashCompletion = ["/usr", "/usr/local", "/opt/homebrew", "/opt/local"].map {
    $0 + "/share/bash-completion/bash_completion"
  }

  /// Writes the script.
  ///
  /// - Parameter force: True to replace a file that is not ours.
  func install(force: Bool) throws -> Change {
    guard let present = try content() else { return try write() }
    if present == shell.script { return .current }
    guard force || Self.isOurs(present) else { throw foreign() }
    return try write()
  }

  /// Removes the script.
  func uninstall(force: Bool) throws -> Change {
    guard let present = try content() else { return .absent }
    guard force || Self.isOurs(present) else { throw foreign() }
    try FileSystem.remove(path)
    return .removed
  }

  /// True where the start file has the line already.
  var isNamedAtStart: Bool {
    guard let startFile, let bytes = try? Bytes.reading(startFile, limit: 4 << 20) else { return startFile == nil }
    let text = String(decoding: bytes.array, as: UTF8.self)
    return text.contains(shell == .zsh ? FileSystem.folder(of: path) : path)
  }

  private func content() throws -> String? {
    guard FileStatus(path) != nil else { return nil }
    return String(decoding: try Bytes.reading(path, limit: 4 << 20).array, as: UTF8.self)
  }

  private func write() throws -> Change {
    try Directories.create(FileSystem.folder(of: path))
    try Bytes(Array(shell.script.utf8)).write(to: path)
    return .written
  }

  /// True for scripts of this version and of those before, which the parser wrote.
  private static func isOurs(_ script: String) -> Bool {
    script.contains(CompletionReply.Shell.mark) || script.contains("mpaas") && script.contains("---completion")
  }

  private func foreign() -> Diagnostic {
    Diagnostic("completion-file-foreign", ["file": path], exit: .cannotCreate)
  }
}
