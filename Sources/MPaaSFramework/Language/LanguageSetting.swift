/// Another language is spoken from now on; modules observe it, micro-apps are told by `MicroAppDelegate`.
public struct LanguageChange: ModuleEvent, Hashable {
  /// The language until now; nil where the app has no texts in any language.
  public let old: AppLanguage?
  /// nil where the app has no texts in any language.
  public let new: AppLanguage?
}

/// The app's language that is spoken, whatever that of the system is.
///
/// ```swift
/// title.text = context.languages.text("cart.title")
/// observation = context.languages.observe { [weak self] _ in self?.reload() }
/// ```
@MainActor public final class LanguageSetting {
  /// The app's texts in all of its languages.
  public let texts: LanguageTexts
  /// The language that is spoken now; nil where the app has no texts.
  public private(set) var current: AppLanguage?
  /// Tells whether a user chose it; else it follows the system.
  public private(set) var isChosen = false

  private let preference: LanguagePreference
  private let system: [AppLanguage]
  private var observers: [(id: Int, handler: @MainActor (LanguageChange) -> Void)] = []
  private var next = 0

  /// - Parameters:
  ///   - texts: The texts of the app, by language.
  ///   - system: What the system asks for, the dearest first.
  ///   - preference: Where a choice is kept; it is read at once.
  public init(_ texts: LanguageTexts, system: [AppLanguage], preference: LanguagePreference = .none) {
    self.texts = texts
    self.system = system
    self.preference = preference
    let kept = preference.load().flatMap { AppLanguage($0) }.flatMap(texts.best)
    isChosen = kept != nil
    current = kept ?? ofSystem
  }

  /// The languages that a user can choose among, in the order of their tags.
  public var languages: [AppLanguage] { texts.languages }

  /// The language where no user chose: the first wish of the system that there is, else English, else the first.
  private var ofSystem: AppLanguage? {
    let wishes = system + [AppLanguage("en")].compactMap(\.self)
    return wishes.lazy.compactMap { self.texts.best(for: $0) }.first ?? languages.first
  }

  /// The text of a key in the language that is spoken, else in the system's, in English, or the key itself.
  ///
  /// - Parameters:
  ///   - key: The key of the text.
  ///   - comment: For translators; `mpaas i18n extract` takes it along.
  public func text(_ key: String, comment: String = "") -> String {
    for language in [current, ofSystem] {
      if let language, let text = texts[key, language] { return text }
    }
    if let english = AppLanguage("en"), let text = texts[key, english] { return text }
    return key
  }

  /// Has the app speak a language from now on, or that of the system again where it is nil; the choice is kept.
  ///
  /// - Returns: The change, also where the language is the one that was spoken before.
  /// - Throws: `language-unknown` for one in which the app has no texts.
  @discardableResult
  public func choose(_ language: AppLanguage?) throws(FrameworkError) -> LanguageChange {
    let old = current
    if let language {
      guard let best = texts.best(for: language) else { throw unknown(language.tag) }
      current = best
    } else {
      current = ofSystem
    }
    isChosen = language != nil
    preference.save(isChosen ? current?.tag : nil)
    let change = LanguageChange(old: old, new: current)
    for observer in observers { observer.handler(change) }
    return change
  }

  /// The language of these that a tag, a locale or the name of a table means.
  ///
  /// - Throws: `language-unknown`.
  public func language(named name: String) throws(FrameworkError) -> AppLanguage {
    guard let language = AppLanguage(name).flatMap(texts.best) else { throw unknown(name) }
    return language
  }

  private func unknown(_ name: String) -> FrameworkError {
    let known = languages.map(\.tag)
    let near = nearest(to: name, among: known)
    return FrameworkError(
      .languageUnknown, .parameter(name),
      values: ["suggestion": near.map { " (\($0)?)" } ?? "", "known": known.joined(separator: ", ")])
  }

  /// Calls a handler after each change, until the observation is let go of.
  public func observe(_ handler: @escaping @MainActor (LanguageChange) -> Void) -> LanguageObservation {
    next += 1
    observers.append((next, handler))
    return LanguageObservation(id: next, setting: self)
  }

  fileprivate func remove(_ id: Int) { observers.removeAll { $0.id == id } }
}

/// Keeps a handler of language changes; it ends with this object.
@MainActor public final class LanguageObservation {
  private let id: Int
  private weak var setting: LanguageSetting?

  fileprivate init(id: Int, setting: LanguageSetting) {
    self.id = id
    self.setting = setting
  }

  isolated deinit { setting?.remove(id) }
}
