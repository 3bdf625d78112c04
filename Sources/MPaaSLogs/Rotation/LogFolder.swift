import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files of a writer's folder: `TYPE/2026-11-22/23.mplog`, and what is staged in `TYPE/staging.mpring`.
package struct LogFolder: Sendable, Hashable {
  /// A `.mplog` file, by its name.
  package struct Entry: Sendable, Hashable {
    package let path: String
    package let type: LogType
    /// `2026-11-22`.
    package let day: String
    /// `23`, and what follows it: `23-1.2` is the third file of the second writer.
    package let name: String
    package let size: UInt64
    /// Seconds since 1970.
    package let modified: Int64

    /// The number of the writer.
    package var lane: Int {
      let words = (name.split(separator: ".").first ?? "").split(separator: "-")
      return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    /// Sorts by time.
    var order: [String] { [day, String(name.prefix(2))] }
  }

  package static let suffix = ".mplog"

  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The types that have a folder.
  package var types: [LogType] {
    let entries = (try? FileSystem.entries(in: path)) ?? []
    return entries.filter { $0.kind == .folder && !$0.name.hasPrefix(".") }.map { LogType(rawValue: $0.name) }
      .sorted { $0.rawValue < $1.rawValue }
  }

  /// The folder of a type; nil where its name cannot be one.
  package func folder(_ type: LogType) -> String? {
    let name = type.rawValue
    guard !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix("."), !name.utf8.contains(0), !name.contains("/")
    else { return nil }
    return path + "/" + name
  }

  /// Tells whether a type may have that name.
  package func isFolderName(_ name: String) -> Bool { folder(LogType(rawValue: name)) != nil }

  /// All files, the oldest first.
  package var files: [Entry] { types.flatMap { files(of: $0) }.sorted { $0.order.lexicographicallyPrecedes($1.order) } }

  /// The files of a type, the oldest first.
  package func files(of type: LogType) -> [Entry] {
    guard let folder = folder(type) else { return [] }
    var found: [Entry] = []
    for day in (try? FileSystem.entries(in: folder)) ?? [] where day.kind == .folder {
      for name in (try? FileSystem.names(in: folder + "/" + day.name)) ?? [] where name.hasSuffix(Self.suffix) {
        let path = "\(folder)/\(day.name)/\(name)"
        guard let status = FileStatus(path), status.kind == .file else { continue }
        found.append(
          Entry(
            path: path, type: type, day: day.name, name: String(name.dropLast(Self.suffix.count)), size: status.size,
            modified: status.modified))
      }
    }
    return found.sorted { ($0.day, $0.name) < ($1.day, $1.name) }
  }

  /// The staging files of a type: of writers that run, and what killed ones left.
  package func stagings(of type: LogType) -> [String] {
    guard let folder = folder(type) else { return [] }
    let names = (try? FileSystem.names(in: folder)) ?? []
    return names.filter { $0.hasSuffix(LogStaging.suffix) }.sorted().map { "\(folder)/\($0)" }
  }

  /// The staging file of a writer.
  func staging(_ type: LogType, lane: Int) -> String? {
    folder(type).map { "\($0)/\(Self.named("staging", lane))\(LogStaging.suffix)" }
  }

  /// A name with the number of the writer, where that is not the only one.
  static func named(_ name: String, _ lane: Int) -> String { lane == 0 ? name : "\(name)-\(lane)" }
}
