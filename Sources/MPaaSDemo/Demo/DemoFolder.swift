import MPaaSSupport
package import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder with all that the examples of README start from, and with a home of its own.
package struct DemoFolder: Sendable {
  /// The path as it was given.
  package let path: String
  /// The parts, in the order in which they are made.
  package let parts: [DemoPart]
  private let programs: DemoPrograms

  /// - Parameter parts: The parts to make; what they are made of comes along.
  package init(_ path: String, parts: Set<DemoPart>, programs: DemoPrograms) {
    self.path = path
    self.parts = DemoPart.complete(parts)
    self.programs = programs
  }

  /// Makes the folder; where a step fails, or Ctrl-C comes, nothing of it stays.
  ///
  /// - Parameters:
  ///   - environment: The variables that its commands get, those of the kit left out.
  ///   - tell: Called before each step.
  /// - Throws: `DemoError`.
  package func make(
    environment: [String: String], _ processes: ProcessRunner = .live, tell: (DemoStep) -> Void = { _ in }
  ) throws(DemoError) {
    guard ((try? FileSystem.names(in: path)) ?? []).isEmpty, FileStatus(path).map({ $0.kind == .folder }) ?? true else {
      throw DemoError(.folderTaken, ["folder": path], at: .file(path))
    }
    try InterruptionHold.during { (hold) throws(DemoError) in
      do throws(DemoError) {
        let folder = try laidOut()
        let variables = variables(environment, in: folder)
        for step in DemoPart.keys + parts.flatMap(\.steps) {
          tell(step)
          do throws(FileError) { try hold.check() } catch { throw DemoError(error) }
          try run(step, in: folder, variables, processes)
        }
      } catch {
        FileSystem.removeTree(path)
        throw error
      }
    }
  }

  // MARK: - Files

  /// Writes the files that the steps start from.
  ///
  /// - Returns: The absolute path of the folder.
  private func laidOut() throws(DemoError) -> String {
    do throws(FileError) {
      try Directories.create(path + "/bin")
      guard let folder = FileSystem.resolved(path) else { throw .last(.create, path) }
      var files = parts.reduce(into: [:]) { $0.merge($1.files) { $1 } }
      files["env"] = Self.settings(of: folder)
      for (name, text) in files {
        try Directories.create(FileSystem.folder(of: "\(folder)/\(name)"))
        try Bytes(Array(text.utf8)).write(to: "\(folder)/\(name)")
      }
      for (name, program) in [("mpaas", programs.mpaas), ("orderbook", programs.sample)] {
        let link = "\(folder)/bin/\(name)"
        guard symlink(program, link) == 0 else { throw .last(.create, link) }
      }
      return folder
    } catch {
      throw DemoError(error)
    }
  }

  /// The file that a shell reads so that the examples run as printed, and nothing of the user's is touched.
  private static func settings(of folder: String) -> String {
    let (home, programs) = ((folder + "/home").shellWord(), (folder + "/bin").shellWord())
    return """
      # For bash and zsh, in this folder: . ./env
      export MPAAS_HOME=\(home) PATH=\(programs):"$PATH" SWIFT_BACKTRACE=enable=no

      """
  }

  // MARK: - Steps

  private func variables(_ given: [String: String], in folder: String) -> [String] {
    // Variables that the user set for the kit, such as a server, are not for the demo.
    var all = given.filter { !$0.key.hasPrefix("MPAAS_") || ["MPAAS_SERVER", "MPAAS_LANG"].contains($0.key) }
    all["MPAAS_HOME"] = folder + "/home"
    all["PATH"] = "\(folder)/bin:\(given["PATH"] ?? "/usr/bin:/bin")"
    all["SWIFT_BACKTRACE"] = "enable=no"
    return all.map { "\($0.key)=\($0.value)" }
  }

  private func run(
    _ step: DemoStep, in folder: String, _ variables: [String], _ processes: ProcessRunner
  ) throws(DemoError) {
    let call = ["-c", #"ulimit -c 0; cd "$1" && shift && exec "$@" 2>&1"#, "sh", folder] + step.words
    let outcome: ProcessRunner.Outcome
    do throws(FileError) {
      outcome = try processes.run(.init("sh", call, capturesOutput: true, environment: variables))
      if let file = step.output { try Bytes(Array(outcome.output.utf8)).write(to: "\(folder)/\(file)") }
    } catch {
      throw DemoError(error)
    }
    guard step.crashes ? outcome.status > 128 : outcome.status == 0 else { throw Self.failure(step, outcome) }
  }

  private static func failure(_ step: DemoStep, _ outcome: ProcessRunner.Outcome) -> DemoError {
    let lines = outcome.output.split(whereSeparator: \.isNewline)
    let reason = lines.first { $0.hasPrefix("error:") } ?? lines.last ?? ""
    return DemoError(
      .stepFailed, ["command": step.line, "status": String(outcome.status), "reason": String(reason.prefix(300))])
  }
}
