import MPaaSSupport

/// Searches and conversions as a server answers them: arguments of a query in, JSON out (Documentation/PinyinServe.md).
package struct PinyinService: Sendable {
  /// Bytes of a text that is converted at once.
  package static let bodyLimit = 16 << 20

  /// The place of a text that is to be converted.
  package enum Text: Sendable {
    /// The argument `text`.
    case argument
    /// The body of the request; nil where it is larger than `bodyLimit`.
    case body([UInt8]?)
  }

  /// Nil where only conversion is served.
  package let records: ServedRecords?

  package init(_ records: ServedRecords?) {
    self.records = records
  }

  /// Searches the newest generation.
  ///
  /// - Parameters:
  ///   - arguments: In their order, escapes taken out.
  ///   - path: The path that was asked for, for errors.
  /// - Returns: The object of `SearchedRecords.json(of:)` with one more member, `generation`; no line feed.
  /// - Throws: `requestNoData`, or an error that names the argument.
  package func search(_ arguments: [(name: String, value: [UInt8])], path: String) throws(PinyinError) -> [UInt8] {
    guard let generation = records?.generation else { throw PinyinError(.requestNoData) }
    let arguments = try RequestArguments(arguments, known: RequestArguments.search, path: path)
    let query = PinyinQuery(try arguments.required("q"), options: try arguments.searchOptions())
    let limit = try arguments.limit()
    let searched = generation.searched
    let line = searched.json(of: searched.answer(query, limit: limit))
    return Array("{\"generation\":\(generation.number),".utf8) + line.dropFirst().dropLast()
  }

  /// Converts a text.
  ///
  /// - Returns: An object a line, each with its line feed.
  /// - Throws: `requestBody`, `invalidUTF8`, or an error that names the argument.
  package func convert(
    _ arguments: [(name: String, value: [UInt8])], _ text: Text, path: String
  ) throws -> [UInt8] {
    let bytes: [UInt8]
    let found: RequestArguments
    switch text {
    case .argument:
      found = try RequestArguments(arguments, known: RequestArguments.convert + ["text"], path: path)
      bytes = Array(try found.required("text").utf8)
    case .body(let body):
      found = try RequestArguments(arguments, known: RequestArguments.convert, path: path)
      guard let body else { throw PinyinError(.requestBody, ["limit": "\(Self.bodyLimit)"]) }
      bytes = body
    }
    var stream = PinyinLineStream(try found.pinyinOptions(), isLossy: try found.flag("lossy"))
    var lines: [UInt8] = []
    try bytes.withUnsafeBytes { try stream.feed($0) { lines += $0 } }
    try stream.finish { lines += $0 }
    return lines
  }
}

extension PinyinError.Code {
  /// A search where only conversion is served.
  package static var requestNoData: Self { Self("pinyin-serve-no-data", exit: .usage) }
  /// A body of more than `limit` bytes.
  package static var requestBody: Self { Self("pinyin-serve-body", exit: .usage) }
}
