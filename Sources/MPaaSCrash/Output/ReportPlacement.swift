package import MPaaSCrashReport
package import MPaaSSupport

/// The files that reports with symbols go to: their names, and the format of each.
package struct ReportPlacement: Sendable {
  package enum Place: Sendable, Equatable {
    /// The file of a name, for one report.
    case file(String)
    /// A folder, where each report keeps the name of its file.
    case folder(String)
    /// The file that the report was read from.
    case origin
  }

  private let place: Place
  private let format: ReportOutput?
  private let writer: ReportWriter

  /// - Parameter format: The format that was asked for; nil keeps that of a report where it can hold symbols.
  package init(_ place: Place, as format: ReportOutput?, writer: ReportWriter) {
    self.place = place
    self.format = format
    self.writer = writer
  }

  /// Finds the name and the content of a report's file.
  ///
  /// - Parameters:
  ///   - report: With symbols.
  ///   - original: As it was read.
  ///   - name: Of the file that it was read from.
  /// - Returns: nil for a report in an archive, which has no file to go back to.
  package func file(for report: CrashReport, of original: ReadReport, name: String) throws -> PlacedReport? {
    let asked = format ?? formatOfFile
    let keepsFormat = format == nil && (asked?.isFormat(original.format?.name) ?? true)
    let own = keepsFormat ? try original.rewritten(with: report) : nil
    let content = own ?? writer.bytes(of: report, as: asked ?? .ips)
    let ending = "." + (asked ?? .ips).fileEnding
    switch place {
    case .file(let path): return PlacedReport(path: path, content: content)
    case .folder(let folder):
      let flat = FileSystem.name(of: name)
      let base = folder.hasSuffix("/") ? folder : folder + "/"
      return PlacedReport(
        path: Self.free(base + flat, own == nil && !flat.hasSuffix(ending) ? ending : ""), content: content)
    case .origin:
      guard let kind = FileStatus(name)?.kind, kind != .other else { return nil }
      if own != nil { return PlacedReport(path: name, content: content) }
      return PlacedReport(path: name.hasSuffix(ending) ? name : name + ending, content: content, isBeside: true)
    }
  }

  /// The format that the one file's ending asks for.
  private var formatOfFile: ReportOutput? {
    if case .file(let path) = place { ReportOutput(fileEnding: path) } else { nil }
  }

  /// A name that no file has: two reports of one name may come from two folders.
  private static func free(_ path: String, _ ending: String) -> String {
    var candidate = path + ending
    var number = 2
    while FileStatus(candidate) != nil {
      let dot = path.lastIndex(of: ".").flatMap { $0 > (path.lastIndex(of: "/") ?? path.startIndex) ? $0 : nil }
      let stem = dot.map { path[..<$0] } ?? path[...]
      candidate = "\(stem)-\(number)\(dot.map { path[$0...] } ?? "")\(ending)"
      number += 1
    }
    return candidate
  }
}

/// A report that is about to be written.
package struct PlacedReport: Sendable, Equatable {
  package let path: String
  let content: [UInt8]
  /// True where its own file cannot hold symbols, so that it goes beside it, in another format.
  package var isBeside = false

  /// Writes it, over a file that is there.
  package func write() throws(FileError) {
    try Bytes(content).write(to: path)
  }
}
