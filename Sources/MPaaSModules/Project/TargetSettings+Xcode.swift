extension TargetSettings {
  /// The text of the target's `.xcconfig`.
  ///
  /// All paths begin with `MPAAS_ROOT`, which a project sets whose Xcode project does not lie beside `mpaas.toml`.
  var xcconfig: String {
    var text = """
      // \(ProjectSettingsFiles.mark): "mpaas module sync" replaces this file.
      // Include it in the configuration of the target; where the Xcode project is not in the folder of mpaas.toml, set
      // MPAAS_ROOT behind the #include.
      MPAAS_ROOT = $(SRCROOT)

      """
    for (sdk, slices) in Dictionary(grouping: slices.filter { $0.sdk != nil }, by: { $0.sdk ?? "" })
      .sorted(by: { $0.key < $1.key })
    {
      text += sliceSetting("FRAMEWORKS", sdk, slices.filter(\.isFramework).map(\.path))
      text += sliceSetting("LIBRARIES", sdk, slices.filter { !$0.isFramework }.map(\.path))
      text += sliceSetting("HEADERS", sdk, slices.filter(\.hasHeaders).map { $0.path + "/Headers" })
    }
    let frameworks = self.frameworks.map { "-framework \(Self.quoted($0))" }
    let weak = weakFrameworks.map { "-weak_framework \(Self.quoted($0))" }
    let libraries = self.libraries.map { library in
      switch library {
      case .named(let name): Self.quoted("-l" + name)
      case .path(let path): rooted(path)
      }
    }
    text += setting("FRAMEWORK_SEARCH_PATHS", frameworkFolders.map(rooted), slice: "FRAMEWORKS")
    text += setting("HEADER_SEARCH_PATHS", headerFolders.map(rooted), slice: "HEADERS")
    text += setting("LIBRARY_SEARCH_PATHS", libraryFolders.map(rooted), slice: "LIBRARIES")
    text += setting("OTHER_LDFLAGS", flags.map(Self.escaped) + frameworks + weak + libraries)
    return text
  }

  private func sliceSetting(_ name: String, _ sdk: String, _ paths: [String]) -> String {
    paths.isEmpty ? "" : "MPAAS_\(name)[sdk=\(sdk)*] = \(paths.map(rooted).joined(separator: " "))\n"
  }

  /// - Parameter slice: The variable that holds what depends on the kind of machine.
  private func setting(_ name: String, _ values: [String], slice: String? = nil) -> String {
    let hasSlices = slices.contains { other in
      switch slice {
      case "FRAMEWORKS": other.isFramework
      case "LIBRARIES": !other.isFramework
      case "HEADERS": other.hasHeaders
      default: false
      }
    }
    let all = values + (hasSlices ? slice.map { ["$(MPAAS_\($0))"] } ?? [] : [])
    return all.isEmpty ? "" : "\(name) = $(inherited) \(all.joined(separator: " "))\n"
  }

  private func rooted(_ path: String) -> String { Self.quoted("$(MPAAS_ROOT)/" + path) }

  private static func quoted(_ text: String) -> String { "\"" + escaped(text).replacing("\"", with: "\\\"") + "\"" }

  /// `//` begins a comment, wherever it stands.
  private static func escaped(_ text: String) -> String { text.replacing("//", with: "/$()/") }
}
