package import MPaaSJSON
import MPaaSSupport

/// The file that a contract is read from: its name and what is wrong in it.
struct PactSource {
  let name: String

  func missing(_ member: String, in node: JSONNode) -> PactError {
    PactError(.member, ["member": member, "problem": "missing"], in: node, of: name)
  }

  func wrong(_ member: String, in node: JSONNode) -> PactError {
    PactError(.member, ["member": member, "problem": "kind"], in: node, of: name)
  }
}

/// Reading of JSON as contracts and bodies have it.
package enum PactJSON {
  /// The greatest depth of a document.
  package static let depth = 512

  /// Reads a file.
  ///
  /// - Throws: `PactError` with line and column of what cannot be there.
  package static func read(_ bytes: [UInt8], file: String) throws(PactError) -> JSONNode {
    do throws(JSONSyntaxError) {
      return try JSONSource(parsing: bytes, file: file, depth: depth).root
    } catch {
      let place = Place.text(file: file, line: error.position.line, column: error.position.column)
      throw PactError(.syntax, ["reason": reason(error.code)], at: place)
    }
  }

  /// The word by which the catalog has the reason.
  private static func reason(_ code: JSONSyntaxError.Code) -> String {
    switch code {
    case .unexpected: "unexpected-byte"
    case .unfinished: "end-of-input"
    case .tooDeep: "too-deep"
    case .badNumber: "bad-number"
    case .badString: "bad-escape"
    case .nameTwice: "name-twice"
    }
  }

  /// The value of a body; nil where it is none.
  package static func body(_ bytes: [UInt8]) -> JSONNode? {
    try? JSONSource(parsing: bytes, file: "", depth: depth).root
  }
}
