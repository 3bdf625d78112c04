/// A language that the command speaks.
package enum Language: String, Sendable, CaseIterable {
  case english = "en"
  case simplifiedChinese = "zh-Hans"

  /// The language of the task; help texts and errors are made in it.
  @TaskLocal package static var current = Language.english

  /// Reads a language tag or a POSIX locale: `zh-Hans`, `zh_CN.UTF-8`, `en_GB`; nil for a language that we don't speak.
  package init?(tag: String) {
    let parts = tag.split { "_-.@".contains($0) }.map { $0.lowercased() }
    switch parts.first {
    case "en", "c", "posix": self = .english
    case "zh":
      if parts.contains(where: { ["hant", "tw", "hk", "mo"].contains($0) }) { return nil }
      self = .simplifiedChinese
    default: return nil
    }
  }

  /// The language by `--lang`, `MPAAS_LANG`, `LC_ALL`, `LC_MESSAGES`, `LANG`, in this order; English otherwise.
  ///
  /// The first that is set and not empty decides, as POSIX has it for locales.
  package init(option: String?, environment: [String: String]) {
    let tags = [option] + ["MPAAS_LANG", "LC_ALL", "LC_MESSAGES", "LANG"].map { environment[$0] }
    let decisive = tags.compactMap { $0 }.first { !$0.isEmpty }
    self = decisive.flatMap(Language.init(tag:)) ?? .english
  }

  /// The language by the arguments before they are parsed, so that the help is in it too.
  package init(arguments: [String], environment: [String: String]) {
    var option: String?
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { break }
      if argument == "--lang", index + 1 < arguments.count { option = arguments[index + 1] }
      if argument.hasPrefix("--lang=") { option = String(argument.dropFirst(7)) }
    }
    self.init(option: option, environment: environment)
  }
}
