/// A micro-app that lets a user choose the app's language.
///
/// Registered under a name of the app's own it is started like any other: `context.start("20000003")`. It shows a list on
/// phones; elsewhere `rows` say what a page of the app's own shows.
public final class LanguagePage: MicroAppDelegate {
  /// A line of the page.
  public struct Row: Sendable, Hashable {
    /// nil for the language of the system.
    public let language: AppLanguage?
    /// The text of the line: the language by the name that its speakers use.
    public let title: String
    /// True for the line whose language the user chose, or for the system's where no choice was made.
    public let isChosen: Bool
  }

  /// Makes the delegate of the page's micro-app.
  public init() {}

  /// The lines of the page: the system's language, then all others by what their speakers call them.
  public static func rows(_ setting: LanguageSetting, in language: TextLanguage) -> [Row] {
    let system = ConsoleText("As the system", "跟随系统").text(in: language)
    return [Row(language: nil, title: system, isChosen: !setting.isChosen)]
      + setting.languages.map {
        Row(language: $0, title: $0.name, isChosen: setting.isChosen && setting.current == $0)
      }
  }

  #if canImport(UIKit) && !os(watchOS)
    /// Returns a `LanguageController`; nil where the micro-app's context is gone.
    public func rootController(in application: MicroApp) -> AnyObject? {
      application.context.map { LanguageController($0) }
    }
  #endif
}

/// The name that projects of the old kit have in their MobileRuntime.plist, with its slip of the pen.
public typealias MPLanguageSettingrAppDelegate = LanguagePage
