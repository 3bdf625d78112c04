/// A text in both languages.
public struct ConsoleText: Sendable, Hashable {
  /// The text in English.
  public let english: String
  /// The text in Simplified Chinese.
  public let chinese: String

  /// Makes a text from its English and its Chinese form.
  public init(_ english: String, _ chinese: String) {
    self.english = english
    self.chinese = chinese
  }

  /// The text in a language: the Chinese one for Chinese, else the English one.
  public func text(in language: TextLanguage) -> String { language == .english ? english : chinese }
}
