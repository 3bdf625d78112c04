extension DAOError {
  /// Values with a reason in English, and the word by which a catalogue of texts finds it in other languages.
  ///
  /// - Parameter values: The values that the reason names; each stands in it as `{name}`.
  package static func reason(
    _ cause: String, _ english: String, _ values: [String: String] = [:]
  ) -> [String: String] {
    var reason = english
    for (name, value) in values {
      reason = reason.split(separator: "{\(name)}", omittingEmptySubsequences: false).joined(separator: value)
    }
    return values.merging(["cause": cause, "reason": reason]) { $1 }
  }
}
