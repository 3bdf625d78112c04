#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The content of `modules.json`.
private struct SettingsList: Encodable {
  let note: String
  let version: Int
  let targets: [Target]

  struct Target: Encodable {
    /// nil where the project names no targets.
    let name: String?
    let platform: ModulePlatform?
    let modules: [Module]
    let compilerFlags: [String]
    let linkerFlags: [String]
  }

  struct Module: Encodable {
    let name: String
    let version: String
    let path: String
    let frameworks: [String]
    let xcframeworks: [String]
    let libraries: [String]
    let sources: [String]
    let bundles: [String]
    let headers: [String]
    let licence: String?

    private enum CodingKeys: String, CodingKey {
      case name, version, path, frameworks, xcframeworks, libraries, sources, bundles, headers
      case licence = "license"
    }
  }
}

extension ProjectSettingsFiles {
  /// The text of `modules.json`: what each target uses, and its flags, with paths from the project's folder.
  static func list(_ targets: [TargetSettings]) -> String {
    let list = SettingsList(
      note: mark + ": \"mpaas module sync\" replaces this file.", version: 1, targets: targets.map(\.listed))
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Strings and numbers alone can always be encoded.
    return (try? encoder.encode(list)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? ""
  }
}

extension TargetSettings {
  fileprivate var listed: SettingsList.Target {
    SettingsList.Target(
      name: target.name, platform: target.platform,
      modules: modules.map { module in
        func paths(_ paths: [String]) -> [String] { paths.map { module.path + "/" + $0 } }
        let contents = module.manifest.contents
        return SettingsList.Module(
          name: module.locked.name, version: module.locked.version.text, path: module.path,
          frameworks: paths(contents.frameworks), xcframeworks: paths(contents.xcframeworks),
          libraries: paths(contents.libraries), sources: paths(contents.sources), bundles: paths(contents.bundles),
          headers: paths(contents.headers), licence: module.manifest.license)
      }, compilerFlags: compilerFlags, linkerFlags: linkerFlags)
  }

  /// Flags for the compiler in the project's folder.
  var compilerFlags: [String] {
    headerFolders.map { "-I" + $0 } + (hasFrameworks ? frameworkFolders.map { "-F" + $0 } : [])
  }

  /// Flags for the linker in the project's folder; frameworks only where there are such.
  var linkerFlags: [String] {
    var flags = libraryFolders.map { "-L" + $0 }
    if hasFrameworks {
      flags += frameworkFolders.map { "-F" + $0 } + self.flags
      flags += frameworks.flatMap { ["-framework", $0] } + weakFrameworks.flatMap { ["-weak_framework", $0] }
    } else {
      flags += self.flags
    }
    return flags
      + libraries.map { library in
        switch library {
        case .named(let name): "-l" + name
        case .path(let path): path
        }
      }
  }

  private var hasFrameworks: Bool {
    switch target.platform {
    case .linux, .android, .harmonyos: false
    default: true
    }
  }
}
