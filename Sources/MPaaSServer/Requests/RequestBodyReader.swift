import HTTPTypes
package import Hummingbird
package import MPaaSProtocol
package import NIOCore

/// A request's body piece by piece, which must come fast enough and not grow past a limit.
package struct RequestBodyReader {
  /// The waiting that passes before a rate is asked for, since every connection begins slowly.
  private static let grace = Duration.seconds(5)
  /// The waiting that each later look at the rate is about: what came fast at first is no credit for ever.
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
      // The pieces of a connection that is cut end as if all were there.
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

  /// All of a body whose limit holds for what it comes out as, too: a value takes many times the memory of its text.
  ///
  /// - Parameter limit: Of the bytes as sent, and of those decompressed.
  static func small(
    of request: Request, _ context: ServerContext, limit: Int64, limits: ServerConfiguration.Limits
  ) async throws -> [UInt8] {
    var limits = limits
    let limit = min(limit, limits.report)
    limits.decompressed = min(limits.decompressed, limit)
    return try await all(of: request, context, limit: limit, limits: limits)
  }

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
        throw PermissionMiddleware.missing
      }
    }
    return try decoding.decoded(body, limits, context.body.hold)
  }
}
