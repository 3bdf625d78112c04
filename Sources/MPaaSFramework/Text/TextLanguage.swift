/// The languages that the framework speaks.
public enum TextLanguage: String, Sendable, Hashable, CaseIterable {
  case english = "en"
  case simplifiedChinese = "zh-Hans"

  /// The language that a locale asks for: Simplified Chinese for `zh`, `zh_CN.UTF-8`, `zh-Hans-SG`, else English.
  public init(locale: String?) {
    let parts = (locale ?? "").lowercased().split { !$0.isLetter }
    let isTraditional = parts.contains { ["hant", "tw", "hk", "mo"].contains($0) }
    self = parts.first == "zh" && !isTraditional ? .simplifiedChinese : .english
  }
}
