package import MPaaSStorage
import MPaaSSupport

/// The kinds of values by keys, for files that do not tell them.
package struct ImportKinds: Sendable {
  /// A kind that a value can be read as.
  package enum Kind: String, Sendable, CaseIterable {
    case string, integer, bool, double, float, data
  }

  private let kinds: [(pattern: Glob, kind: Kind)]

  /// No kinds: all values are read as they look.
  package static let none = ImportKinds(kinds: [])

  private init(kinds: [(pattern: Glob, kind: Kind)]) { self.kinds = kinds }

  /// Reads a JSON object of kinds by keys, in which `*` stands for any text: `{"launches":"integer","user.*":"string"}`.
  ///
  /// - Throws: `kv-import-malformed` where it is none, or a kind is none.
  package init(reading bytes: UnsafeRawBufferPointer, file: String) throws(StorageError) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(reading: bytes, by: .exact) } catch {
      let place = Place.text(file: file, line: error.line, column: error.column)
      throw StorageError(.importMalformed, ["path": file, "reason": error.code.rawValue], at: place)
    }
    guard let members = json.object else {
      throw StorageError(.importMalformed, ["path": file, "reason": json.kind], at: .file(file))
    }
    var kinds: [(pattern: Glob, kind: Kind)] = []
    for (name, value) in members {
      guard let kind = value.string.flatMap(Kind.init(rawValue:)) else {
        throw StorageError(.importMalformed, ["path": file, "reason": "\(name): \(value.line)"], at: .file(file))
      }
      kinds.append((Glob(name), kind))
    }
    // The longer of two patterns says more.
    self.kinds = kinds.sorted {
      ($0.pattern.text.utf8.count, $1.pattern.text) > ($1.pattern.text.utf8.count, $0.pattern.text)
    }
  }

  /// The kind of a key; nil where none is said.
  package func kind(of key: String) -> Kind? { kinds.first { $0.pattern.matches(key) }?.kind }
}
