import CCompression
import HTTPTypes
package import Hummingbird
package import MPaaSProtocol
package import NIOCore

/// A request's body piece by piece, which must come fast enough and not grow past a limit.
package struct RequestBodyReader {
  /// How much waiting passes before a rate is asked for, since every connection begins slowly.
  private static let grace = Duration.seconds(5)
  /// How much waiting each later look at the rate is about: what came fast at first is no credit for ever.
  private static let window = Duration.seconds(20)

  private var iterator: RequestBody.AsyncIterator
  private let progress: BodyProgress
  private let limit: Int64
  private let leastRate: Int
  private let announced: Int64?
  private var pace = (waited: Duration.zero, count: Int64(0), due: grace)
  /// Set until the client was told to go on that waits for it.
  private var waiting: ServerContext?
  /// Bytes so far.
  package private(set) var count: Int64 = 0

  /// - Parameter limit: The most bytes; a body that announces more is refused before any is read.
  /// - Throws: `Refusal`.
  package init(_ request: Request, _ context: ServerContext, limit: Int64, limits: ServerConfiguration.Limits) throws {
    announced = request.headers[.contentLength].flatMap(Int64.init)
    self.limit = limit
    leastRate = limits.leastRate
    progress = context.body
    if let announced, announced > limit { throw Refusal(.tooLarge, ["limit": String(limit)]) }
    progress.state = .begun
    waiting = request.headers[.expect]?.lowercased() == "100-continue" ? context : nil
    iterator = request.body.makeAsyncIterator()
  }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `Refusal` `server-too-slow`, `server-too-large`, `server-body-cut`.
  package mutating func next() async throws -> ByteBuffer? {
    waiting?.inform(.continue)
    waiting = nil
    let piece: ByteBuffer?
    let begin = ContinuousClock.now
    do {
      piece = try await iterator.next()
    } catch {
      throw Refusal(.bodyCut)
    }
    guard let piece else {
      // Where a connection is cut, the pieces end as if all were there.
      if let announced, count != announced { throw Refusal(.bodyCut) }
      progress.state = .done
      return nil
    }
    count += Int64(piece.readableBytes)
    if count > limit { throw Refusal(.tooLarge, ["limit": String(limit)]) }
    try keepPace(Int64(piece.readableBytes), ContinuousClock.now - begin)
    return piece
  }

  /// Counts what came against the time that was waited for it; the server's own time does not count.
  ///
  /// - Throws: `Refusal` `server-too-slow`.
  private mutating func keepPace(_ bytes: Int64, _ waited: Duration) throws {
    pace.waited += waited
    pace.count += bytes
    guard pace.waited > pace.due else { return }
    if Double(pace.count) < (pace.waited / .seconds(1)) * Double(leastRate) { throw Refusal(.tooSlow) }
    pace = (.zero, 0, Self.window)
  }

  /// Looks at the first bytes of a body as sent, and says whether its sender is known by them.
  package typealias Admission = (_ begin: [UInt8], _ decoding: BodyDecoding) async throws -> Bool

  /// The most bytes of a body that are read before its sender is known.
  static let longestBegin = 64 << 10

  /// All of a body, decompressed as `Content-Encoding` says (gzip, deflate, zstd, br).
  ///
  /// - Parameters:
  ///   - limit: Of the bytes as sent.
  ///   - admit: Called with what has come until it knows the sender; nil where the sender is known already.
  package static func all(
    of request: Request, _ context: ServerContext, limit: Int64, limits: ServerConfiguration.Limits,
    admit: Admission? = nil
  ) async throws -> [UInt8] {
    let encoding = (request.headers[.contentEncoding] ?? "identity").lowercased()
    guard let decoding = BodyDecoding(rawValue: encoding) else { throw Refusal(.encoding, ["encoding": encoding]) }
    var reader = try RequestBodyReader(request, context, limit: limit, limits: limits)
    var body: [UInt8] = []
    var admit = admit
    if admit == nil { body.reserveCapacity(Int(clamping: min(reader.announced ?? 0, 1 << 20))) }
    while let piece = try await reader.next() {
      try context.body.hold?.take(piece.readableBytes)
      body += piece.readableBytesView
      guard let ask = admit else { continue }
      if try await ask(body, decoding) {
        admit = nil
      } else if body.count >= longestBegin {
        throw Permission.missing
      }
    }
    let decoded = try decoding.decoded(body, limits)
    if decoding != .identity { try context.body.hold?.take(decoded.count) }
    return decoded
  }
}

/// The encodings of bodies that are read.
package enum BodyDecoding: String, Sendable, CaseIterable {
  case identity, gzip, deflate, zstd
  /// By a library that not every machine has.
  case brotli = "br"

  /// - Throws: `Refusal` `server-expands`, `server-encoding`.
  package func decoded(_ body: [UInt8], _ limits: ServerConfiguration.Limits) throws -> [UInt8] {
    let format: mpaas_format?
    switch self {
    case .identity: return body
    case .gzip: format = MPAAS_FORMAT_GZIP
    case .deflate: format = MPAAS_FORMAT_ZLIB
    case .zstd: format = MPAAS_FORMAT_ZSTD
    case .brotli:
      guard mpaas_brotli_is_there() else { throw Refusal(.encoding, ["encoding": rawValue]) }
      format = nil
    }
    // A small body may be mostly header.
    let (product, isHuge) = body.count.multipliedReportingOverflow(by: max(limits.ratio, 1))
    let most = min(isHuge ? .max : max(product, 64 << 10), Int(clamping: limits.decompressed))
    var output: UnsafeMutablePointer<UInt8>?
    var size = 0
    let outcome = body.withUnsafeBufferPointer { input -> mpaas_outcome in
      guard let start = input.baseAddress else { return MPAAS_DAMAGED }
      guard let format else { return mpaas_brotli(start, input.count, most, &output, &size) }
      return mpaas_decompress(format, start, input.count, .max, most, &output, &size)
    }
    defer { mpaas_release(output) }
    switch outcome {
    case MPAAS_DECOMPRESSED: return Array(UnsafeBufferPointer(start: output, count: size))
    case MPAAS_TOO_LARGE: throw Refusal(.expands, ["limit": String(most)])
    default: throw Refusal(.encoding, ["encoding": rawValue], status: .badRequest)
    }
  }
}
