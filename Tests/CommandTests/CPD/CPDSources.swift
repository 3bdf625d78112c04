import Foundation
import MPaaSTestSupport

/// A folder with sources in which code stands at several places, and the command run in it.
struct CPDSources {
  private let folder: TemporaryFolder
  var url: URL { folder.url }
  var path: String { folder.path }

  init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for (name, text) in files { try put(name, text) }
  }

  func put(_ name: String, _ text: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func text(_ name: String) throws -> String { try String(contentsOf: url.appending(path: name), encoding: .utf8) }

  func cpd(_ arguments: String...) throws -> Command.Outcome {
    let environment = ["MPAAS_HOME": path + "/.home", "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "1"]
    return try Command.run("mpaas", ["cpd"] + arguments, environment: environment, directory: url)
  }

  /// The clones of a result: type, tokens and places each, sorted.
  static func clones(_ json: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return (value?["clones"] as? [[String: Any]] ?? []).map { clone in
      let spans = (clone["spans"] as? [[String: Any]] ?? []).map { span in
        "\(span["file"] ?? ""):\(span["start"] ?? ""):\(span["end"] ?? "")"
      }
      return "\(clone["type"] ?? "") \(spans.sorted().joined(separator: " "))"
    }.sorted()
  }

  /// A function whose operators are those of a number, and whose names are those of a word.
  static func function(_ name: String, _ seed: UInt64, variable: String = "v", statements: Int = 12) -> String {
    var random = SeededRandom(seed: seed)
    let lines = (0..<statements).map { index in
      let operators = (0..<6).map { _ in ["+", "-", "*", "/"].randomElement(using: &random) ?? "+" }
      return "  let \(variable)\(index) = a"
        + operators.enumerated().map { " \($1) \(variable)\($0 % (index + 1))" }.joined()
    }
    return "func \(name)(a: Int) -> Int {\n" + lines.joined(separator: "\n") + "\n}\n"
  }
}
