import MPaaSJSON

/// A case of the specification: what is expected, what came, and whether they match.
package struct PactPair: Sendable {
  package enum Part: String, Sendable, CaseIterable {
    case request, response, message
  }

  /// The verdict that the file states; nil where it states none.
  package let isMatch: Bool?
  package let comment: String
  package let mismatches: [PactMismatch]

  /// Reads a file with `expected` and `actual` and compares them.
  package init(
    _ bytes: [UInt8], file: String, _ part: Part, _ version: PactSpecification
  ) throws(PactError) {
    let source = PactSource(name: file)
    let root = try PactJSON.read(bytes, file: file)
    guard let expected = root["expected"], let actual = root["actual"] else {
      throw PactError(.pair, ["part": part.rawValue], in: root, of: file)
    }
    isMatch = root["match"]?.bool
    comment = root["comment"]?.string ?? ""
    switch part {
    case .request:
      mismatches = PactComparison.request(
        try PactRequest(expected, version, in: source), try PactRequest(actual, version, in: source))
    case .response:
      mismatches = PactComparison.response(
        try PactResponse(expected, version, in: source), try PactResponse(actual, version, in: source))
    case .message:
      mismatches = PactComparison.message(
        try PactMessage(expected, version, in: source), try PactMessage(actual, version, in: source))
    }
  }
}
