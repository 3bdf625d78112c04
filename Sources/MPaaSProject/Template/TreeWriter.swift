package import MPaaSSupport
import MPaaSToolSupport

extension RenderedTree {
  /// Makes the folder `target` with the files, or nothing.
  ///
  /// All is written into a folder beside it that is renamed; where that fails, or the user interrupts it, it is removed.
  /// A folder that is there already has to be empty, unless its files may be replaced: then each file comes to its
  /// place by itself, and what else stands there stays.
  ///
  /// - Parameter replaces: Whether files that are there may be replaced.
  /// - Throws: `TemplateError` `project-exists`, or as the file system has it.
  package func write(to target: String, replaces: Bool = false) throws(TemplateError) {
    let status = FileStatus(ofLink: target)
    let isEmpty = status?.kind == .folder && (try? FileSystem.names(in: target).isEmpty) == true
    guard status == nil || isEmpty || replaces else {
      throw TemplateError(.targetExists, ["path": target], at: .file(target))
    }
    do throws(FileError) {
      try Directories.create(FileSystem.folder(of: target))
      if status == nil || isEmpty {
        try InterruptionHold.during { hold throws(FileError) in try writeBeside(target, hold) }
      } else {
        try InterruptionHold.during { hold throws(FileError) in try write(into: target, hold) }
      }
    } catch {
      throw TemplateError(error)
    }
  }

  private func writeBeside(_ target: String, _ hold: borrowing InterruptionHold) throws(FileError) {
    let temporary = try FileSystem.makeFolder(beside: target)
    do throws(FileError) {
      try write(into: temporary, hold)
      try hold.check()
      try FileSystem.rename(temporary, to: target)
    } catch {
      FileSystem.removeTree(temporary)
      throw error
    }
  }

  private func write(into folder: String, _ hold: borrowing InterruptionHold) throws(FileError) {
    var made = Set<String>()
    for (path, file) in files.sorted(by: { $0.key < $1.key }) {
      try hold.check()
      let place = folder + "/" + path
      let parent = FileSystem.folder(of: place)
      if made.insert(parent).inserted { try Directories.create(parent) }
      try file.write(to: place, isSettled: false)
    }
  }
}

extension RenderedTree.File {
  /// Writes the file beside its place and renames it.
  ///
  /// - Parameter isSettled: Whether it survives a loss of power; for a whole new project that would take seconds.
  package func write(to place: String, isSettled: Bool = true) throws(FileError) {
    let file = try PartialFile(beside: place)
    let content = Bytes(bytes)
    defer { withExtendedLifetime(content) {} }
    try file.append(content.buffer)
    try file.finish(mode: isExecutable ? 0o755 : 0o644, isSettled: isSettled)
  }
}
