import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

/// The sources of an app that a runtime table is held against.
struct RuntimeSourceOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption, help: .text("command.runtime.sources", valueName: "path"), completion: .directory)
  var sources: [String] = []

  @Option(help: .text("command.runtime.target", valueName: "name"), completion: .sourceFolders)
  var target: String?

  @Option(
    name: .customLong("module"), help: .text("command.runtime.module", valueName: "name"), completion: .sourceFolders)
  var modules: [String] = []

  private static let endings = [".swift", ".h", ".m", ".mm"]

  /// The sources that were named; else those beside the table and below it.
  func read(for files: [String]) throws -> [(file: String, bytes: [UInt8])] {
    let roots = sources.isEmpty ? Array(Set(files.map { FileSystem.folder(of: $0) })).sorted() : sources
    var paths: [String] = []
    for root in roots {
      switch FileStatus(root)?.kind {
      case .folder: paths += Self.files(in: root)
      case nil: throw Diagnostic("runtime-sources-missing", ["path": root], at: .file(root), exit: .inputMissing)
      default: paths.append(root)
      }
    }
    return try paths.map { ($0, try Bytes.reading($0, limit: 1 << 26).array) }
  }

  /// The module of the sources: its name stands before types as `Module.Class`.
  func targetName(for files: [String]) -> String {
    let folder = sources.first ?? files.first.map { FileSystem.folder(of: $0) } ?? ""
    return target ?? FileSystem.name(of: FileSystem.resolved(folder) ?? folder)
  }

  private static func files(in root: String) -> [String] {
    let base = root == "." ? "" : root.hasSuffix("/") ? root : root + "/"
    var found: [String] = []
    var folders: [(path: String, depth: Int)] = [("", 0)]
    while let (prefix, depth) = folders.popLast(), found.count < 50_000 {
      for (name, kind) in (try? FileSystem.entries(in: base.isEmpty && prefix.isEmpty ? "." : base + prefix)) ?? []
      where !name.hasPrefix(".") {
        let path = prefix + name
        if kind == .folder, depth < 24, name != "Pods", FileStatus(ofLink: base + path)?.kind == .folder {
          folders.append((path + "/", depth + 1))
        } else if kind == .file, endings.contains(where: name.hasSuffix) {
          found.append(base + path)
        }
      }
    }
    return found.sorted()
  }
}
