#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A language that an app speaks, by its BCP 47 tag: `zh-Hans`, `en`, `pt-BR`.
public struct AppLanguage: Sendable, Hashable, CustomStringConvertible {
  /// The BCP 47 tag of the language: `zh-Hans`, `en`, `pt-BR`.
  public let tag: String

  /// The language that a tag, a locale or the name of a file means: `zh_CN` and `zh-Hans-CN` are `zh-Hans`.
  ///
  /// Text behind a dot or an at sign does not count (`de_DE.UTF-8`). Chinese is told by its script, which follows from
  /// the region where it is not named; other languages keep their region.
  /// - Returns: nil where the text begins with no language.
  public init?(_ text: String) {
    let words = text.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }.map(String.init)
    guard let first = words.first?.lowercased(), 2...3 ~= first.count, first.allSatisfy(\.isASCIILetter) else {
      return nil
    }
    var script: String?
    var region: String?
    for word in words.dropFirst() {
      if word.count == 4, word.allSatisfy(\.isASCIILetter) {
        script = word.prefix(1).uppercased() + word.dropFirst().lowercased()
      } else if word.count == 2 || word.count == 3 && word.allSatisfy(\.isNumber) {
        region = word.uppercased()
      }
    }
    if first == "zh" {
      tag = "zh-" + (script ?? (["TW", "HK", "MO"].contains(region) ? "Hant" : "Hans"))
    } else {
      tag = [first, script, region].compactMap(\.self).joined(separator: "-")
    }
  }

  /// The language's tag.
  public var description: String { tag }

  /// The language without script and region: `pt` of `pt-BR`.
  var family: Substring { tag.prefix { $0 != "-" } }

  /// The name that its speakers call it, for a page on which they choose; the tag where that is not known.
  public var name: String { Self.names[tag] ?? Self.names[String(family)].map { "\($0) (\(tag))" } ?? tag }

  private static let names = [
    "ar": "العربية", "cs": "čeština", "da": "dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English",
    "es": "español", "fi": "suomi", "fr": "français", "he": "עברית", "hi": "हिन्दी", "hu": "magyar",
    "id": "Bahasa Indonesia", "it": "italiano", "ja": "日本語", "ko": "한국어", "ms": "Bahasa Melayu", "nb": "norsk",
    "nl": "Nederlands", "pl": "polski", "pt": "português", "ro": "română", "ru": "русский", "sv": "svenska",
    "th": "ไทย", "tr": "Türkçe", "uk": "українська", "vi": "Tiếng Việt", "zh-Hans": "简体中文", "zh-Hant": "繁體中文",
  ]
}

extension AppLanguage {
  /// The languages that the system of this process asks for, the dearest first.
  static var ofSystem: [AppLanguage] {
    #if canImport(Darwin)
      Locale.preferredLanguages.compactMap { AppLanguage($0) }
    #else
      ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { ProcessInfo.processInfo.environment[$0] }
        .first { !$0.isEmpty }?.split(separator: ":").compactMap { AppLanguage(String($0)) } ?? []
    #endif
  }
}

extension Character {
  fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
