extension MobileContext {
  /// Has the app speak another language, and tells those that show texts: views that observe, modules, micro-apps.
  ///
  /// - Parameter language: nil for that of the system.
  /// - Returns: The errors of those that threw when they were told.
  /// - Throws: `language-unknown`.
  @discardableResult
  public func speak(_ language: AppLanguage?) throws(FrameworkError) -> [FrameworkError] {
    let change = try languages.choose(language)
    var errors = trigger(change)
    for application in stack where application.state == .running || application.state == .paused {
      do {
        try application.delegate.application(application, languageDidChange: change)
      } catch {
        errors.append(
          FrameworkError(
            .applicationStepFailed, .application(application.name), at: application.place,
            values: ["step": "application(_:languageDidChange:)"], underlying: error))
      }
    }
    return errors
  }
}
