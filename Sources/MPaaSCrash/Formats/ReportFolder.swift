package import MPaaSCrashReport
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder with reports of any format, such as the one that the capture commands write to.
package struct ReportFolder: Sendable {
  /// A file of the folder: a report, or why it is none.
  package struct Entry: Sendable {
    package let path: String
    package let report: Result<CrashReport, ReportError>
  }

  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The reports of the folder, the newest first, files that cannot be read last; none where there is no folder.
  package func entries() -> [Entry] {
    let entries = names.map { path + "/" + $0 }.map { file in
      do {
        return Entry(path: file, report: .success(try ReportFile.read(file)))
      } catch let error as ReportError {
        return Entry(path: file, report: .failure(error))
      } catch {
        return Entry(path: file, report: .failure(ReportError(.unknownFormat)))
      }
    }
    return entries.sorted { Self.order($0) > Self.order($1) }
  }

  /// The path of the report that a user names: a path, a file's name with or without `.ips`, the beginning of an
  /// incident's UUID, or `latest`; nil where the folder has none like it.
  package func find(_ name: String) -> String? {
    if name.contains("/") || FileManager.default.fileExists(atPath: name) { return name }
    if let file = names.first(where: { file in file == name || Self.endings.contains { file == name + $0 } }) {
      return path + "/" + file
    }
    if name == "latest" { return entries().first { (try? $0.report.get()) != nil }?.path }
    guard name.count >= 4 else { return nil }
    return entries().first { (try? $0.report.get())?.incident.lowercased().hasPrefix(name.lowercased()) == true }?.path
  }

  /// The names of the report files, by the alphabet.
  package var names: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { name in Self.endings.contains(where: name.hasSuffix) && !name.hasPrefix(".") }.sorted()
  }

  /// The endings of reports' names; what they are is told by their content.
  private static let endings = [".ips", ".raw", ".crash", ".plcrash", ".dmp", ".json"]

  private static func order(_ entry: Entry) -> (Int64, UInt32, String) {
    guard case .success(let report) = entry.report else { return (.min, 0, entry.path) }
    return (report.captured.seconds, report.captured.nanoseconds, entry.path)
  }
}
