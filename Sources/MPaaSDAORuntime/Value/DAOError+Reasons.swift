extension DAOError {
  /// Values with a reason in English, and the word by which a catalogue of texts finds it in other languages.
  ///
  /// - Parameter values: The values that the reason names; each stands in it as `{name}`.
  package static func reason(
    _ cause: String, _ english: String, _ values: [String: String] = [:]
  ) -> [String: String] {
    let parts = english.split(separator: "{", omittingEmptySubsequences: false)
    var reason = String(parts.first ?? "")
    for part in parts.dropFirst() {
      if let end = part.firstIndex(of: "}"), let value = values[String(part[..<end])] {
        reason += value + part[part.index(after: end)...]
      } else {
        reason += "{" + part
      }
    }
    return values.merging(["cause": cause, "reason": reason]) { $1 }
  }
}
