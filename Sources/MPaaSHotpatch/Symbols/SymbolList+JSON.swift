package import MPaaSSupport

extension SymbolList {
  /// The list as JSON that `init(reading:file:)` reads: members sorted, so that the same list gives the same bytes.
  package var document: JSONValue {
    func signatures(_ all: [String: Signature]) -> JSONValue {
      .object(
        all.mapValues { signature in
          [
            "parameters": .array(signature.parameters.map { .string($0.description) }),
            "result": .string(signature.result.description), "async": .bool(signature.isAsync),
            "throws": .bool(signature.canThrow),
          ]
        })
    }
    return [
      "app": .string(app), "version": .string(version), "functions": signatures(functions),
      "exports": signatures(exports), "types": .object(types.mapValues(signatures)),
    ]
  }

  /// The file: the document on one line.
  package var encoded: [UInt8] { Array((document.line + "\n").utf8) }
}
