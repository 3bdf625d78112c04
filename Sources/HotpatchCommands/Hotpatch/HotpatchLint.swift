import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

/// `mpaas hotpatch lint FILE|FOLDER…`: the Lua files of patches, checked without running them.
struct HotpatchLintCommand: MPaaSCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
  }

  static var configuration: CommandConfiguration { CommandConfiguration("lint", key: "hotpatch.lint") }

  @Argument(help: .text("command.hotpatch.lint.paths"), completion: .file(extensions: ["lua"]))
  var paths: [String]

  @Option(help: .text("command.hotpatch.lint.symbols", valueName: "list"), completion: .file(extensions: ["json"]))
  var symbols: String?

  @Flag(help: .text("command.hotpatch.lint.fix"))
  var fix = false

  @Option(help: .text("command.hotpatch.lint.format"))
  var format = Format.text

  @Flag(help: .text("command.hotpatch.lint.strict"))
  var strict = false

  @OptionGroup var content: BundleContentOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> LintReport {
    let list = try symbols.map { path in try SymbolList(path: path) }
    var report = LintReport(format: format, isStrict: strict, catalogue: context.catalogue)
    let bundles = paths.filter(BundleContentOptions.names)
    if fix, let bundle = bundles.first { throw Diagnostic("lint-fix-bundle", ["path": bundle], exit: .usage) }
    var patches = try LintInputs(paths.filter { !bundles.contains($0) }).patches
    patches += try bundles.map { LintInputs.Patch(try content.files(of: $0, in: context), of: $0) }
    for patch in patches {
      let linter = PatchLinter(symbols: list, modules: patch.modules)
      var files = patch.files
      if fix {
        let mended = await context.timed("mend \(files.count) files") { LintFixer(linter).mend(files) }
        for (file, fixed) in mended where fixed > 0 {
          try Bytes(file.bytes).write(to: file.name, mode: FileStatus(file.name)?.permissions ?? 0o644)
          report.fixed.append(.init(file: file.name, count: fixed))
        }
        files = mended.map(\.file)
      }
      let findings = await context.timed("lint \(files.count) files") { linter.check(files) }
      report.add(findings, in: files)
    }
    return report
  }
}

extension SymbolList {
  /// Reads the list in a file.
  init(path: String) throws {
    let bytes = try Bytes.reading(path, limit: SymbolList.largest + 1)
    self = try bytes.array.withUnsafeBytes { buffer in try SymbolList(reading: buffer, file: path) }
  }
}

/// The files that a user named, by the patches that they belong to.
struct LintInputs {
  struct Patch {
    var files: [LuaSource]
    /// What `require` finds in the folder; nil where it has too many files to look at.
    var modules: Set<String>?

    init(files: [LuaSource], modules: Set<String>?) {
      self.files = files
      self.modules = modules
    }

    /// What a bundle holds; findings name its files by the bundle's path and theirs.
    init(_ content: [PayloadFile], of bundle: String) {
      files = content.filter(\.isLua).map { LuaSource($0.contents.array, name: bundle + "/" + $0.path, path: $0.path) }
      modules = []
    }
  }

  private(set) var patches: [Patch] = []
  private static let deepest = 32
  private static let mostFiles = 10_000

  /// A folder is a patch with all files in it; files that are named by themselves are one with their neighbours' modules.
  ///
  /// - Throws: `FileError`; `lint-no-files` for a folder without Lua files, so that no check passes for want of files.
  init(_ paths: [String]) throws {
    var single: [(folder: String, files: [LuaSource])] = []
    for path in paths {
      if FileStatus(path)?.kind == .folder {
        let names = try Self.names(in: path)
        guard !names.isEmpty else {
          throw Diagnostic("lint-no-files", ["path": path], at: .file(path), exit: .inputMissing)
        }
        let base = path.hasSuffix("/") ? path : path + "/"
        patches.append(Patch(files: try names.map { try Self.source(base + $0, $0) }, modules: []))
      } else {
        let folder = FileSystem.folder(of: path)
        let file = try Self.source(path, FileSystem.name(of: path))
        if let index = single.firstIndex(where: { $0.folder == folder }) {
          if !single[index].files.contains(where: { $0.name == path }) { single[index].files.append(file) }
        } else {
          single.append((folder, [file]))
        }
      }
    }
    for (folder, files) in single {
      let neighbours = (try? Self.names(in: folder.isEmpty ? "." : folder)) ?? []
      let modules = neighbours.count < Self.mostFiles ? Set(neighbours.map { LuaSource([], name: $0).module }) : nil
      patches.append(Patch(files: files, modules: modules))
    }
  }

  private static func source(_ path: String, _ name: String) throws -> LuaSource {
    LuaSource(try Bytes.reading(path, limit: LuaSource.largest + 1).array, name: path, path: name)
  }

  /// The paths of Lua files in a folder, relative to it, sorted; hidden folders and links to folders are left out.
  private static func names(in root: String) throws(FileError) -> [String] {
    var names: [String] = []
    var folders: [(path: String, depth: Int)] = [("", 0)]
    while let (prefix, depth) = folders.popLast(), names.count < mostFiles {
      for (name, kind) in try FileSystem.entries(in: prefix.isEmpty ? root : root + "/" + prefix)
      where !name.hasPrefix(".") {
        let path = prefix + name
        if kind == .file, name.hasSuffix(".lua") {
          names.append(path)
        } else if kind == .folder, depth < deepest, FileStatus(ofLink: root + "/" + path)?.kind == .folder {
          folders.append((path + "/", depth + 1))
        }
      }
    }
    return names.sorted()
  }
}
