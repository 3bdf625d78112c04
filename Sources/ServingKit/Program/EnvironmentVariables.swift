extension [String: String] {
  /// The value of an environment variable; nil where it is empty or not set.
  package func variable(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Tells whether an environment variable switches something on: it is set, and neither empty nor `0`, `false`, `no`.
  package func isSet(_ name: String) -> Bool { self[name].map { !["", "0", "false", "no"].contains($0) } ?? false }
}
