import MPaaSSupport

/// Sets build settings of the project or of targets.
package struct SetBuildSettings: ProjectOperation {
  package static var word: String { "set" }

  package var settings: [EditAssignment] = []
  /// The project's own where none is named.
  package var targets = TargetWords.unnamed
  /// All where none is named.
  package var configurations: [String] = []

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .assignments("settings", \.settings, .argument("set.settings", "key=value").required()), .list,
      .targets(\.targets, "settings-target"), .configurations(\.configurations),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    for configuration in try editor.configurations(targets, configurations) {
      for setting in settings {
        try ProjectEditor.expectName(setting.key)
        editor.set(setting: setting.key, in: configuration, to: setting.value)
      }
    }
  }
}

/// Takes build settings away.
package struct UnsetBuildSettings: ProjectOperation {
  package static var word: String { "unset" }

  package var keys: [String] = []
  package var targets = TargetWords.unnamed
  package var configurations: [String] = []

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .requiredTexts("settings", \.keys, .argument("unset.keys", "key")), .targets(\.targets, "settings-target"),
      .configurations(\.configurations),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let all = try editor.configurations(targets, configurations)
    for key in keys where !all.contains(where: { editor.setting(key, in: $0) != nil }) { editor.note(.absent, key) }
    for configuration in all {
      for key in keys { editor.set(setting: key, in: configuration, to: nil) }
    }
  }
}

/// The settings that hold lists of flags and paths.
package enum ListSetting: String, EditChoice {
  case linkerFlags = "linker"
  case swiftFlags = "swift"
  case cFlags = "c"
  case cxxFlags = "cpp"
  case frameworkPaths = "framework"
  case headerPaths = "header"
  case systemHeaderPaths = "system-header"
  case userHeaderPaths = "user-header"
  case libraryPaths = "library"
  case swiftPaths = "swift-include"
  case runPaths = "runpath"

  package var key: String {
    switch self {
    case .linkerFlags: "OTHER_LDFLAGS"
    case .swiftFlags: "OTHER_SWIFT_FLAGS"
    case .cFlags: "OTHER_CFLAGS"
    case .cxxFlags: "OTHER_CPLUSPLUSFLAGS"
    case .frameworkPaths: "FRAMEWORK_SEARCH_PATHS"
    case .headerPaths: "HEADER_SEARCH_PATHS"
    case .systemHeaderPaths: "SYSTEM_HEADER_SEARCH_PATHS"
    case .userHeaderPaths: "USER_HEADER_SEARCH_PATHS"
    case .libraryPaths: "LIBRARY_SEARCH_PATHS"
    case .swiftPaths: "SWIFT_INCLUDE_PATHS"
    case .runPaths: "LD_RUNPATH_SEARCH_PATHS"
    }
  }
}

/// An operation on the values of a setting that holds a list.
protocol SettingValues {
  var key: String { get set }
  var values: [String] { get set }
  /// The project's own settings where none is named.
  var targets: TargetWords { get set }
  var configurations: [String] { get set }
}

/// Adds flags or paths to settings that hold lists of such.
///
/// A flag of several words (`-framework Pay`) is looked for and added as a whole.
package struct AddSettingValues: ProjectOperation, SettingValues {
  package static var word: String { "add-values" }

  package var key = ""
  package var values: [String] = []
  package var targets = TargetWords.unnamed
  package var configurations: [String] = []

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .text("setting", \.key), .requiredTexts("values", \.values), .targets(\.targets),
      .configurations(\.configurations),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    for configuration in try editor.configurations(targets, configurations) {
      for value in values where !value.isEmpty {
        let old = editor.setting(key, in: configuration)
        editor.set(setting: key, in: configuration, to: SettingWords.adding(value, to: old))
      }
    }
  }
}

/// Takes flags or paths out of settings that hold lists of such.
package struct RemoveSettingValues: ProjectOperation, SettingValues {
  package static var word: String { "remove-values" }

  package var key = ""
  package var values: [String] = []
  package var targets = TargetWords.unnamed
  package var configurations: [String] = []

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .text("setting", \.key), .requiredTexts("values", \.values), .targets(\.targets),
      .configurations(\.configurations),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let all = try editor.configurations(targets, configurations)
    for value in values {
      var isThere = false
      for configuration in all {
        guard let old = editor.setting(key, in: configuration) else { continue }
        let new = SettingWords.removing(value, from: old)
        guard new != old else { continue }
        isThere = true
        editor.set(setting: key, in: configuration, to: new)
      }
      if !isThere { editor.note(.absent, value) }
    }
  }
}

/// Values of settings that are lists, written as arrays or in one string.
enum SettingWords {
  /// The words of a value, as a build system splits them: at blanks that stand in no quotes.
  static func words(_ value: PBXValue?) -> [String] {
    switch value {
    case .array(let values): values.compactMap(\.string)
    case .string(let text): split(text)
    default: []
    }
  }

  static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        word.append(character)
        isEscaped = true
      } else if character == quote {
        word.append(character)
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        word.append(character)
        quote = character
      } else if quote == nil, character == " " || character == "\t" || character == "\n" {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// The place in a list of a value of one or more words.
  private static func range(of value: [String], in words: [String]) -> Range<Int>? {
    guard !value.isEmpty, value.count <= words.count else { return nil }
    return (0...words.count - value.count).lazy.map { $0..<$0 + value.count }.first { Array(words[$0]) == value }
  }

  /// The setting with a value more; what was a list stays one, what was a string too.
  static func adding(_ value: String, to old: PBXValue?) -> PBXValue {
    switch old {
    case .array(let values):
      let texts = values.compactMap(\.string)
      let parts = split(value)
      if texts.contains(value) || range(of: parts, in: texts) != nil { return .array(values) }
      // A path with a blank is one element; flags of several words are as many.
      return .array(values + (value.hasPrefix("-") ? parts : [value]).map { .string($0) })
    case .string(let text):
      if range(of: split(value), in: split(text)) != nil { return .string(text) }
      return .string(text.isEmpty ? value : text + " " + value)
    default:
      return .strings(["$(inherited)"] + (value.hasPrefix("-") ? split(value) : [value]))
    }
  }

  /// The setting without a value; nil where what is left only says what holds anyway.
  static func removing(_ value: String, from old: PBXValue) -> PBXValue? {
    switch old {
    case .array(let values):
      var texts = values.compactMap(\.string)
      guard texts.count == values.count else { return old }
      texts.removeAll { $0 == value }
      while let range = range(of: split(value), in: texts) { texts.removeSubrange(range) }
      guard texts.count < values.count else { return old }
      return texts.isEmpty || texts == ["$(inherited)"] ? nil : .strings(texts)
    case .string(let text):
      var words = split(text)
      guard range(of: split(value), in: words) != nil else { return old }
      while let range = range(of: split(value), in: words) { words.removeSubrange(range) }
      return words.isEmpty || words == ["$(inherited)"] ? nil : .string(words.joined(separator: " "))
    default: return old
    }
  }
}
