import MPaaSFlags
import MPaaSSupport

/// The lines of a build: the plug-in's tool has no catalog of texts, and compilers speak English.
enum FlagSentence {
  private static let all: [String: String] = [
    "flags-malformed": "this is not JSON: {reason}",
    "flags-shape": "'{member}' is not what it should be: {wanted} is wanted",
    "flags-too-large": "{size} bytes are more than a state may have ({limit})",
    "flags-too-many": "{count} flags or events are more than a state may have ({limit})",
    "flags-values-too-many": "a constraint has {count} values, more than the {limit} that it may have",
  ]

  /// The reason of a refusal with its place, as compilers write it.
  static func line(_ error: FlagError) -> String {
    var text = all[error.identifier] ?? error.identifier
    for (name, value) in error.values {
      let parts = text.split(separator: "{\(name)}", maxSplits: 1, omittingEmptySubsequences: false)
      text = parts.joined(separator: value)
    }
    return (error.place.map { "\($0): " } ?? "") + "error: \(text)"
  }
}
