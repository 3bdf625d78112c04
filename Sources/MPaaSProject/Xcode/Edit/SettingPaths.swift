/// The paths that build settings of a target's configuration hold, as far as the project alone tells them.
struct SettingPaths {
  private let settings: [PBXMember]
  private let words: [String: String]

  /// - Parameter bundle: The `.xcodeproj` by its name: `Shop.xcodeproj`.
  init(_ configuration: PBXObject?, of target: PBXObject?, bundle: String) {
    self.init(
      configuration?["buildSettings"]?.members ?? [], target: target?.string("name"),
      configuration: configuration?.string("name"), bundle: bundle)
  }

  init(_ settings: [PBXMember], target: String?, configuration: String?, bundle: String) {
    self.settings = settings
    let project = bundle.hasSuffix(".xcodeproj") ? String(bundle.dropLast(10)) : bundle
    var words = ["SRCROOT": ".", "PROJECT_DIR": ".", "SOURCE_ROOT": ".", "PROJECT_NAME": project, "PROJECT": project]
    if let target { (words["TARGET_NAME"], words["TARGETNAME"]) = (target, target) }
    if let configuration { words["CONFIGURATION"] = configuration }
    self.words = words
  }

  /// The values of a setting, under whatever condition: `INFOPLIST_FILE`, `INFOPLIST_FILE[sdk=macosx*]`.
  func values(_ key: String) -> [String] {
    settings.filter { $0.key == key || $0.key.hasPrefix(key + "[") }.compactMap(\.value.string).filter { !$0.isEmpty }
  }

  /// A path from the folder of `SRCROOT`, or an absolute one; nil where it holds what only the build knows.
  func path(_ text: String) -> String? {
    expanded(text, 0).map(PathWords.plain)
  }

  private func expanded(_ text: String, _ depth: Int) -> String? {
    var (result, rest) = ("", Substring(text))
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      let open = rest.index(after: dollar)
      guard open < rest.endIndex, rest[open] == "(" || rest[open] == "{" else { return nil }
      let close: Character = rest[open] == "(" ? ")" : "}"
      guard let end = rest[open...].firstIndex(of: close) else { return nil }
      guard let value = value(String(rest[rest.index(after: open)..<end]), depth) else { return nil }
      result += value
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// The value of a setting that the target itself sets: it goes before all but the command line.
  private func value(_ name: String, _ depth: Int) -> String? {
    if let word = words[name] { return word }
    guard depth < 8, !settings.contains(where: { $0.key.hasPrefix(name + "[") }) else { return nil }
    return settings.value(of: name)?.string.flatMap { expanded($0, depth + 1) }
  }
}
