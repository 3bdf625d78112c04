import MPaaSSupport
package import MPaaSToolSupport

/// The changes to the files of a project, before any of it is.
package struct ProjectChanges: Sendable {
  package enum Kind: String, Sendable, Encodable {
    case created, edited, replaced, removed
    /// As it would be made.
    case unchanged
    /// Different from what would be made, and left alone.
    case kept
    /// Both sides changed the same lines; the markers are in the file.
    case conflict
    /// The user removed it; it stays removed.
    case deleted
  }

  package struct Change: Sendable {
    package let path: String
    package let kind: Kind
    /// nil where there is no file.
    package let old: [UInt8]?
    package let new: RenderedTree.File?

    package init(path: String, kind: Kind, old: [UInt8]?, new: RenderedTree.File?) {
      self.path = path
      self.kind = kind
      self.old = old
      self.new = new
    }

    package var isWritten: Bool {
      switch kind {
      case .created, .edited, .replaced, .removed: true
      case .conflict: old != new?.bytes
      case .unchanged, .kept, .deleted: false
      }
    }
  }

  package let root: String
  package private(set) var changes: [Change] = []

  package init(root: String) {
    self.root = root
  }

  package var isEmpty: Bool { !changes.contains(where: \.isWritten) }
  package var conflicts: [String] { changes.filter { $0.kind == .conflict }.map(\.path) }

  // MARK: - Planning

  /// The bytes that a file of the project has now; nil where there is none.
  ///
  /// - Throws: `TemplateError` as the file is not read, also `template-link` for what is no file.
  package func bytes(_ path: String) throws(TemplateError) -> [UInt8]? {
    let place = ProjectLayout.path(root, path)
    guard let status = FileStatus(place) else { return nil }
    guard status.kind == .file else { throw TemplateError(.link, ["path": path], at: .file(place)) }
    do throws(FileError) {
      return try Bytes.reading(place, limit: RenderedTree.limits.bytes).array
    } catch {
      throw TemplateError(error)
    }
  }

  /// Makes a file, where none is there.
  mutating func make(_ path: String, _ file: RenderedTree.File, replaces: Bool) throws(TemplateError) {
    let old = try bytes(path)
    let kind: Kind = old == nil ? .created : old == file.bytes ? .unchanged : replaces ? .replaced : .kept
    changes.append(Change(path: path, kind: kind, old: old, new: file))
  }

  mutating func edit(_ path: String, from old: [UInt8], to new: [UInt8]) {
    changes.append(
      Change(path: path, kind: old == new ? .unchanged : .edited, old: old, new: .init(bytes: new)))
  }

  mutating func append(_ change: Change) { changes.append(change) }

  // MARK: - Doing

  /// Does it all, or, where something fails or the user interrupts it, puts everything back.
  ///
  /// - Throws: `TemplateError` as the file system has it.
  package func apply() throws(TemplateError) {
    do throws(FileError) {
      try InterruptionHold.during { (hold) throws(FileError) in
        var done: [(change: Change, isExecutable: Bool)] = []
        do throws(FileError) {
          for change in changes where change.isWritten {
            try hold.check()
            done.append((change, isExecutable(change.path)))
            try write(change.new, change.path)
          }
          try hold.check()
        } catch {
          for (change, isExecutable) in done.reversed() { restore(change, isExecutable) }
          throw error
        }
      }
    } catch {
      throw TemplateError(error)
    }
  }

  private func write(_ file: RenderedTree.File?, _ path: String) throws(FileError) {
    let place = ProjectLayout.path(root, path)
    guard let file else { return try FileSystem.remove(place) }
    try Directories.create(FileSystem.folder(of: place))
    // An edit keeps the permissions that the file has.
    let isExecutable = file.isExecutable || isExecutable(path)
    try RenderedTree.File(bytes: file.bytes, isExecutable: isExecutable).write(to: place)
  }

  private func isExecutable(_ path: String) -> Bool {
    (FileStatus(ProjectLayout.path(root, path))?.permissions ?? 0) & 0o100 != 0
  }

  private func restore(_ change: Change, _ isExecutable: Bool) {
    let place = ProjectLayout.path(root, change.path)
    if let old = change.old {
      try? RenderedTree.File(bytes: old, isExecutable: isExecutable).write(to: place)
    } else {
      try? FileSystem.remove(place)
    }
    var folder = FileSystem.folder(of: change.path)
    // Folders that were made for it.
    while change.old == nil, folder != ".", FileSystem.removeIfEmpty(ProjectLayout.path(root, folder)) {
      folder = FileSystem.folder(of: folder)
    }
  }
}

extension ProjectChanges.Change {
  /// The change as a unified diff; nil of what is no text, and of what is not written.
  package var diff: [TextDiff.UnifiedLine]? {
    guard isWritten else { return nil }
    func text(_ bytes: [UInt8]?) -> String? {
      guard let bytes else { return "" }
      return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
    guard let before = text(old), let after = text(new?.bytes) else { return nil }
    return TextDiff(from: before, to: after).unified(from: old == nil ? nil : path, to: new == nil ? nil : path)
  }
}
