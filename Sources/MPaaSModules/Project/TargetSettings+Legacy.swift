#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The content of `BuildConfig.json`: for each target the version and the place of each framework.
///
/// The old kit's file of that name is not described in public; this one says what scripts of its time need.
private struct LegacyBuildConfig: Encodable {
  let notice: String
  let project: String?
  let copy: Bool
  let targets: [String: Target]

  struct Target: Encodable {
    /// By name without `.framework`.
    let frameworks: [String: Framework]
    /// The names of all bundles.
    let resources: [String]
  }

  struct Framework: Encodable {
    let module: String
    let version: String
    let path: String
  }
}

extension ProjectSettingsFiles {
  static let legacyName = "BuildConfig.json"

  /// The text of `BuildConfig.json`; a project without named targets has one of its own name there.
  func legacyBuildConfig(_ targets: [TargetSettings]) -> String {
    var listed: [String: LegacyBuildConfig.Target] = [:]
    for settings in targets {
      listed[settings.target.name ?? project.name ?? "project"] = settings.legacyTarget
    }
    let config = LegacyBuildConfig(
      notice: Self.mark + ": \"mpaas module sync\" replaces this file.", project: project.name,
      copy: project.place == .copy, targets: listed)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Strings alone can always be encoded.
    return (try? encoder.encode(config)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? ""
  }
}

extension TargetSettings {
  fileprivate var legacyTarget: LegacyBuildConfig.Target {
    var frameworks: [String: LegacyBuildConfig.Framework] = [:]
    var bundles: Set<String> = []
    for module in modules {
      let contents = module.manifest.contents
      for path in contents.frameworks + contents.xcframeworks {
        frameworks[Self.stem(path)] = LegacyBuildConfig.Framework(
          module: module.locked.name, version: module.locked.version.text, path: module.path + "/" + path)
      }
      for path in contents.bundles { bundles.insert(path.split(separator: "/").last.map(String.init) ?? path) }
    }
    return .init(frameworks: frameworks, resources: bundles.sorted())
  }
}
