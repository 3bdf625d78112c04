package import MPaaSHotpatch
import MPaaSSupport
import MPaaSTrust

extension SymbolList {
  /// The most bytes that a list has.
  package static let largest = 16 << 20

  /// Reads the list in a file.
  ///
  /// - Throws: `FileError`; `TrustError` as `init(reading:file:)`.
  package init(path: String) throws {
    let bytes = try Bytes.reading(path, limit: Self.largest + 1)
    self = try bytes.array.withUnsafeBytes { buffer in try SymbolList(reading: buffer, file: path) }
  }

  /// Reads a list from its JSON; the format stands in `Documentation/HotpatchLint.md`.
  ///
  /// Names that it does not know, types it cannot read and members of a wrong kind are errors: a list that is half
  /// understood would let patches pass that the app refuses.
  ///
  /// - Throws: `TrustError` `symbol-list-malformed` with the path of the member, such as
  ///   `functions.Cart.total.parameters[1]`; what strict JSON throws, with line and column.
  package init(reading bytes: UnsafeRawBufferPointer, file: String) throws(TrustError) {
    let document = try JSONValue(strict: bytes, JSONLimits(size: Self.largest), file: file)
    let reader = Reader(file: file)
    let members = try reader.object(document, "$", known: ["app", "version", "functions", "exports", "types"])
    self.init(app: try reader.string(members, "app"), version: try reader.string(members, "version"))
    functions = try reader.signatures(members["functions"], "functions", isDotted: true)
    exports = try reader.signatures(members["exports"], "exports", isDotted: true)
    for (name, methods) in try reader.object(members["types"] ?? [:], "types") {
      guard Self.isName(name) else { throw reader.error("types.\(name)", "<name>") }
      types[name] = try reader.signatures(methods, "types.\(name)", isDotted: false)
    }
  }

  /// Takes the members of a document apart, and says where one is not as it should be.
  private struct Reader {
    let file: String

    func error(_ member: String, _ expected: String) -> TrustError {
      TrustError(.symbolListMalformed, ["member": member, "expected": expected], at: .file(file))
    }

    func object(_ value: JSONValue, _ path: String, known: Set<String>? = nil) throws(TrustError) -> JSONValue.Object {
      guard let members = value.object else { throw error(path, "object") }
      if let known, let other = members.keys.filter({ !known.contains($0) }).min() {
        throw error(path == "$" ? other : "\(path).\(other)", known.sorted().joined(separator: " / "))
      }
      return members
    }

    func string(_ members: JSONValue.Object, _ name: String) throws(TrustError) -> String {
      guard let text = members[name]?.string, !text.isEmpty else { throw error(name, "string") }
      return text
    }

    func flag(_ members: JSONValue.Object, _ name: String, _ path: String) throws(TrustError) -> Bool {
      guard let value = members[name] else { return false }
      guard let flag = value.bool else { throw error("\(path).\(name)", "true / false") }
      return flag
    }

    func type(_ value: JSONValue?, _ path: String) throws(TrustError) -> ValueType {
      guard let text = value?.string, let type = ValueType(text) else {
        throw error(path, "int / double / bool / string / data / date / any / [T] / {T} / T? / record N / object N")
      }
      return type
    }

    func signatures(
      _ value: JSONValue?, _ path: String, isDotted: Bool
    ) throws(TrustError) -> [String: Signature] {
      var result: [String: Signature] = [:]
      for (name, value) in try object(value ?? [:], path) {
        let place = "\(path).\(name)"
        guard SymbolList.isName(name), isDotted || !name.contains(".") else { throw error(place, "<name>") }
        let members = try object(value, place, known: ["parameters", "result", "async", "throws"])
        var parameters: [ValueType] = []
        if let list = members["parameters"] {
          guard let items = list.array, items.count <= 64 else { throw error("\(place).parameters", "array") }
          for (index, item) in items.enumerated() {
            let type = try type(item, "\(place).parameters[\(index)]")
            guard type != .void else { throw error("\(place).parameters[\(index)]", "int / double / …") }
            parameters.append(type)
          }
        }
        let result_ = try members["result"].map { value throws(TrustError) in try type(value, "\(place).result") }
        result[name] = Signature(
          parameters, result_ ?? .void, isAsync: try flag(members, "async", place),
          canThrow: try flag(members, "throws", place))
      }
      return result
    }
  }

  /// The function that somebody who wrote `name` most likely meant.
  package func closestFunction(to name: String) -> String? {
    closestMatch(to: name, among: functions.keys.sorted())
      ?? functions.keys.sorted().first { $0.lowercased() == name.lowercased() }
  }
}

extension TrustError.Code {
  package static let symbolListMalformed = malformed("symbol-list-malformed")
}
