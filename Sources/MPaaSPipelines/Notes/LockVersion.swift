package import MPaaSModules
package import MPaaSSupport
package import MPaaSToolSupport

/// A version of a project's lock: a file, a folder with one, a revision of git, or the files as they are.
package struct LockVersion: Sendable, Equatable {
  /// As the user named it.
  package let name: String
  package let lock: ProjectLock

  package init(name: String, lock: ProjectLock) {
    self.name = name
    self.lock = lock
  }
}

/// The two ends of `FROM..TO`.
package struct LockRange: Sendable, Equatable {
  package let from: String
  /// Empty for the files as they are.
  package let to: String

  /// Splits the range at its dots; where paths have dots of their own, at those where an end is there.
  ///
  /// - Parameter exists: True of a path that is there.
  /// - Throws: `PipelineError` `ci-range-malformed`.
  package init(_ text: String, exists: (String) -> Bool) throws(PipelineError) {
    var splits: [(from: String, to: String)] = []
    var start = text.startIndex
    while let dots = text[start...].firstRange(of: "..") {
      let split = (from: String(text[..<dots.lowerBound]), to: String(text[dots.upperBound...]))
      if !split.from.isEmpty { splits.append(split) }
      start = text.index(after: dots.lowerBound)
    }
    let sure = splits.first { exists($0.from) && ($0.to.isEmpty || exists($0.to)) }
    guard let split = sure ?? splits.first(where: { exists($0.from) || exists($0.to) }) ?? splits.first else {
      throw PipelineError(.rangeMalformed, ["range": String(text.prefix(120))])
    }
    (from, to) = split
  }
}

/// Finds versions of a project's lock.
package struct LockHistory: Sendable {
  private let folder: String
  private let processes: ProcessRunner

  /// - Parameters:
  ///   - folder: The project's folder.
  ///   - processes: Runs git.
  package init(of folder: String, processes: ProcessRunner = .live) {
    self.folder = folder
    self.processes = processes
  }

  /// The lock by a name.
  ///
  /// - Throws: `PipelineError` `ci-revision-unknown`, `ci-lock-missing`, and of a lock that cannot be read.
  package func version(_ name: String) throws(PipelineError) -> LockVersion {
    let file = ProjectFiles.path(name.isEmpty ? folder : name, ProjectLock.fileName)
    switch FileStatus(name.isEmpty ? folder : name)?.kind {
    case .file: return try version(name, reading: try Self.text(name), file: name)
    case .folder:
      guard FileStatus(file) != nil else { throw PipelineError(.lockMissing, ["name": file], at: .file(file)) }
      return try version(name.isEmpty ? file : name, reading: try Self.text(file), file: file)
    case .other, nil: break
    }
    let object = "\(name):./\(ProjectLock.fileName)"
    return try version(name, reading: try committed(name, object), file: object)
  }

  private func version(_ name: String, reading text: String, file: String) throws(PipelineError) -> LockVersion {
    do throws(ModuleError) {
      return LockVersion(name: name, lock: try ProjectLock(reading: text, file: file))
    } catch {
      throw PipelineError(error)
    }
  }

  private static func text(_ file: String) throws(PipelineError) -> String {
    do throws(FileError) {
      return String(decoding: try Bytes.reading(file, limit: 16 << 20).array, as: UTF8.self)
    } catch {
      throw PipelineError(error)
    }
  }

  private func committed(_ name: String, _ object: String) throws(PipelineError) -> String {
    guard !name.hasPrefix("-"), try git(["rev-parse", "--verify", "--quiet", name + "^{commit}"]).status == 0 else {
      throw PipelineError(.revisionUnknown, ["name": String(name.prefix(120)), "folder": folder])
    }
    let shown = try git(["show", object])
    guard shown.status == 0 else { throw PipelineError(.lockMissing, ["name": object]) }
    return shown.output
  }

  private func git(_ arguments: [String]) throws(PipelineError) -> ProcessRunner.Outcome {
    do throws(FileError) {
      return try processes.run(.init("git", ["-C", folder] + arguments, capturesOutput: true))
    } catch {
      throw PipelineError(.gitMissing)
    }
  }
}

extension PipelineError.Code {
  package static var rangeMalformed: Self { Self("ci-range-malformed", exit: .usage) }
  package static var revisionUnknown: Self { Self("ci-revision-unknown", exit: .inputMissing) }
  package static var lockMissing: Self { Self("ci-lock-missing", exit: .inputMissing) }
  package static var gitMissing: Self { Self("ci-git-missing", exit: .inputMissing) }
}
