import MPaaSArchive
package import MPaaSCrashReport
package import MPaaSSupport
package import MPaaSSymbols
package import MPaaSToolSupport

/// Reports of any format in files, folders and archives, taken one after another.
///
/// The content of a file tells its format. Files that are no reports are passed over; those that look like reports and
/// are not are problems.
package struct ReportCollection: Sendable {
  /// Something in the collection that could not be read.
  package struct Problem: Sendable {
    /// The file; of something in an archive `archive.zip/path`.
    package let name: String
    package let diagnostic: Diagnostic
  }

  /// The files in the order in which they are visited.
  package let files: [String]
  /// Files that were named themselves: what is no report among them is a problem.
  private let given: Set<String>
  /// Folders that are one report each.
  private let folders: Set<String>

  /// The largest file that is taken for a report, in bytes.
  static let largest = 512 << 20
  /// Folders below folders are followed this far.
  private static let deepest = 40

  /// Finds the files below the paths; hidden ones are left out.
  ///
  /// - Throws: `FileError` for a path that is not there or a folder that cannot be read.
  package init(_ paths: [String]) throws(FileError) {
    var files: [String] = []
    var given: Set<String> = []
    var folders: Set<String> = []
    var seen: Set<[UInt64]> = []
    for path in paths {
      guard let status = FileStatus(path) else { throw FileError(.open, path, .noSuchFileOrDirectory) }
      if status.kind == .folder {
        try Self.walk(path, status, 0, &files, &folders, &seen)
      } else {
        files.append(path)
        given.insert(path)
      }
    }
    self.files = files
    self.given = given
    self.folders = folders
  }

  private static func walk(
    _ folder: String, _ status: FileStatus, _ depth: Int, _ files: inout [String], _ folders: inout Set<String>,
    _ seen: inout Set<[UInt64]>
  ) throws(FileError) {
    // A link may lead back up.
    guard depth <= deepest, seen.insert(status.identity).inserted else { return }
    if ReportFile.isFolder(folder) {
      folders.insert(folder)
      return files.append(folder)
    }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    for (name, kind) in try FileSystem.entries(in: folder) where !name.hasPrefix(".") {
      switch kind {
      case .file: files.append(base + name)
      case .folder:
        if let status = FileStatus(base + name) { try walk(base + name, status, depth + 1, &files, &folders, &seen) }
      case .other: break
      }
    }
  }

  /// The result of one file of the collection.
  package struct Outcome: Sendable {
    /// Files that are no reports.
    package var others = 0
    package var problems: [Problem] = []
  }

  /// Hands over each report in a file of the collection: the file itself, or those in the archive that it is.
  ///
  /// - Parameters:
  ///   - glance: Makes a report of a file's bytes where it is sure of them at little cost; asked before anything else.
  ///   - search: Finds the unwind information that the stacks of dumps are walked by.
  ///   - visit: Gets the name of each report, and the report with its bytes, which are valid only until it returns; an
  ///     error of it ends the reading of the file.
  package func reports(
    in file: String, buffer: inout FileBuffer, glance: (UnsafeRawBufferPointer) -> CrashReport? = { _ in nil },
    search: DebugFileSearch? = nil,
    visit: (String, ReadReport) throws -> Void
  ) throws -> Outcome {
    var outcome = Outcome()
    let isGiven = given.contains(file)
    var archive = false
    func take(_ name: String, _ bytes: UnsafeRawBufferPointer, isGiven: Bool) throws {
      if let report = glance(bytes) { return try visit(name, ReadReport(report, bytes: bytes)) }
      if let reports = Self.several(bytes) {
        for (index, report) in reports.enumerated() { try visit("\(name)#\(index + 1)", ReadReport(report)) }
        return
      }
      let report: ReadReport
      do throws(ReportError) {
        report = try ReportFile.read(bytes, search: search)
      } catch {
        switch error.code {
        case .empty where !isGiven, .unknownFormat where !isGiven:
          outcome.others += 1
          return
        default: break
        }
        var error = error
        error.path = name
        outcome.problems.append(Problem(name: name, diagnostic: error.diagnostic))
        return
      }
      try visit(name, report)
    }
    if folders.contains(file) {
      let report: CrashReport
      do {
        report = try ReportFile.read(file)
      } catch let error as any DiagnosticConvertible {
        outcome.problems.append(Problem(name: file, diagnostic: error.diagnostic))
        return outcome
      }
      try visit(file, ReadReport(report))
      return outcome
    }
    do {
      try buffer.withFile(file, limit: Self.largest) { bytes in
        archive = ArchiveForm(bytes) != nil
        if !archive { try take(file, bytes, isGiven: isGiven) }
      }
    } catch let error as FileError {
      outcome.problems.append(Problem(name: file, diagnostic: error.diagnostic))
    }
    if archive {
      var failure: (any Error)?
      var folders = RecordFolders()
      do throws(ArchiveError) {
        try Self.archive.entries(of: try Self.mapped(file), name: file) { (entry) throws(ArchiveError) in
          guard !FileSystem.name(of: entry.path).hasPrefix(".") else { return true }
          let body = try entry.body()
          defer { withExtendedLifetime(body) {} }
          if folders.take(entry.path, body) { return true }
          do { try take(file + "/" + entry.path, body.buffer, isGiven: false) } catch { failure = error }
          return failure == nil
        }
      } catch {
        outcome.problems.append(Problem(name: file, diagnostic: error.diagnostic(file: file)))
      }
      if let failure { throw failure }
      for (folder, files) in folders.all {
        let name = folder.isEmpty ? file : file + "/" + folder
        do {
          guard let report = try Self.report(of: files) else {
            outcome.others += files.count
            continue
          }
          try visit(name, ReadReport(report))
        } catch var error as ReportError {
          error.path = error.path.map { name + "/" + $0 } ?? name
          outcome.problems.append(Problem(name: name, diagnostic: error.diagnostic))
        }
      }
    }
    return outcome
  }

  /// The reports of a payload of MetricKit that has more than one; nil where the bytes are one report, or none.
  private static func several(_ bytes: UnsafeRawBufferPointer) -> [CrashReport]? {
    guard MetricKitPayload.recognises(bytes), let reports = try? MetricKitPayload.reports(bytes), reports.count > 1
    else {
      return nil
    }
    return reports
  }

  /// The report that the files of a folder are; nil where none of them tells what happened.
  private static func report(of files: CrashlyticsRecords.Files) throws(ReportError) -> CrashReport? {
    CrashlyticsRecords.recognises(names: Array(files.keys)) ? try CrashlyticsRecords.read(files) : nil
  }

  /// Tells whether a file is an archive, as its first bytes have it.
  package static func isArchive(_ path: String) -> Bool {
    guard FileStatus(path)?.kind == .file, let head = try? Bytes.reading(path, limit: ArchiveForm.headSize) else {
      return false
    }
    return ArchiveReader.matches(head)
  }

  private static func mapped(_ file: String) throws(ArchiveError) -> Bytes {
    do throws(FileError) {
      return try Bytes.mapping(file)
    } catch {
      throw ArchiveError(.damaged, error.code.description)
    }
  }

  private static var archive: ArchiveReader {
    var reader = ArchiveReader()
    reader.limits.member = largest
    return reader
  }
}
