/// The languages that the framework speaks.
public enum TextLanguage: String, Sendable, Hashable, CaseIterable {
  case english = "en"
  case simplifiedChinese = "zh-Hans"

  /// The language that a locale asks for: Chinese for `zh…`, else English.
  public init(locale: String?) {
    self = locale?.lowercased().hasPrefix("zh") == true ? .simplifiedChinese : .english
  }
}
