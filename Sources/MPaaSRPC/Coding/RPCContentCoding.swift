import CContentCoding

/// The ways in which contents are compressed on their way (RFC 9110, 8.4.1).
public enum RPCContentCoding: String, Sendable, Hashable, CaseIterable {
  case zstd
  case brotli = "br"
  case gzip

  private var native: mp_coding {
    switch self {
    case .gzip: MP_CODING_GZIP
    case .zstd: MP_CODING_ZSTD
    case .brotli: MP_CODING_BROTLI
    }
  }

  /// True where this machine can read it; Brotli's library is not everywhere.
  public var isReadable: Bool { mp_coding_decodes(native) }
  /// True where this machine can write it.
  public var isWritable: Bool { mp_coding_encodes(native) }

  /// The value of `Accept-Encoding` for all that this machine reads.
  static let accepted: String = {
    let names = allCases.filter(\.isReadable).map(\.rawValue)
    return names.isEmpty ? "identity" : names.joined(separator: ", ")
  }()

  /// The compressed form of a content; nil where this machine cannot make it.
  func encode(_ bytes: [UInt8]) -> [UInt8]? {
    var output: UnsafeMutablePointer<UInt8>?
    var size = 0
    let outcome = bytes.withUnsafeBufferPointer { input in
      Self.withAddress(input) { mp_coding_encode(native, $0, input.count, &output, &size) }
    }
    return outcome == MP_CODING_DONE ? Self.taken(output, size) : nil
  }

  /// The content of a compressed form.
  ///
  /// - Throws: `rpc-answer-too-large` where more than `limit` bytes come out, `rpc-answer-encoding` where it is damaged.
  func decode(_ bytes: [UInt8], limit: Int) throws(RPCError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    var size = 0
    let outcome = bytes.withUnsafeBufferPointer { input in
      Self.withAddress(input) { mp_coding_decode(native, $0, input.count, max(limit, 1), &output, &size) }
    }
    switch outcome {
    case MP_CODING_DONE: return Self.taken(output, size)
    case MP_CODING_TOO_LARGE: throw RPCError(.tooLarge, ["limit": String(limit)])
    default: throw RPCError(.encodingBroken, ["encoding": rawValue])
    }
  }

  private static func withAddress(
    _ input: UnsafeBufferPointer<UInt8>, _ body: (UnsafePointer<UInt8>) -> mp_coding_outcome
  ) -> mp_coding_outcome {
    guard let start = input.baseAddress else {
      var nothing: UInt8 = 0
      return body(&nothing)
    }
    return body(start)
  }

  private static func taken(_ output: UnsafeMutablePointer<UInt8>?, _ size: Int) -> [UInt8] {
    defer { mp_coding_release(output) }
    return output.map { Array(UnsafeBufferPointer(start: $0, count: size)) } ?? []
  }
}

extension RPCContentCoding {
  /// Undoes the codings of an answer, the last one first, and takes their field away.
  ///
  /// Each step is held to `limit`, so that what is packed twice cannot hide its size.
  static func decode(_ response: inout RPCTransport.Response, limit: Int) throws(RPCError) {
    guard let field = response.headers["content-encoding"] else { return }
    for name in field.split(separator: ",").reversed() {
      let name = name.lowercased().filter { $0 != " " && $0 != "\t" }
      if name == "identity" || name.isEmpty { continue }
      guard let coding = RPCContentCoding(rawValue: name == "x-gzip" ? "gzip" : name) else {
        throw RPCError(.encodingBroken, ["encoding": name])
      }
      if !response.body.isEmpty { response.body = try coding.decode(response.body, limit: limit) }
    }
    response.headers["content-encoding"] = nil
    response.headers["content-length"] = nil
  }
}
