/// A text in both languages.
public struct ConsoleText: Sendable, Hashable {
  public let english: String
  public let chinese: String

  public init(_ english: String, _ chinese: String) {
    self.english = english
    self.chinese = chinese
  }

  public func text(in language: TextLanguage) -> String { language == .english ? english : chinese }
}
