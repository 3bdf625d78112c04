import HTTPTypes
import Hummingbird
import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The routes that read an upload: all or a range, with its digest.
extension UploadRoutes {
  func get(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await services.readings {
      let grant = try await PermissionMiddleware.grant(of: request, .read, services, at: context.address)
      let record = try await uploads.record(try context.parameters.require("id"), grant)
      guard let blob = record.blob else { throw Refusal(.notFound) }
      let answer = BlobAnswer(services: services, blob: blob, filename: record.details.filename ?? record.id)
      return try await answer.response(to: request, context)
    }
  }
}

/// A blob as the answer to a request: all or a range, with its digest.
struct BlobAnswer {
  let services: ServerServices
  let blob: String
  let filename: String
  /// A browser is not to run the file, of whatever type it is.
  var type = "application/octet-stream"

  /// The answer up to its body, of which nothing is read before it is asked for.
  func response(to request: Request, _ context: ServerContext) async throws -> Response {
    guard let size = try await services.blobs.size(of: blob) else { throw Refusal(.notFound) }
    let answer = RangeAnswer(tag: blob, size: size, filename: filename, type: type, digest: Self.digest(blob))
    return try await answer.response(to: request) { range in
      try await services.blobs.body(of: blob, range, services.readings, to: context.channel)
    }
  }

  private static func digest(_ hexadecimal: String) -> String {
    let bytes = [UInt8](hexadecimal: hexadecimal) ?? []
    return "sha-256=:\(Data(bytes).base64EncodedString()):"
  }
}

/// Bytes as the answer to a request: all, or a range of them.
struct RangeAnswer {
  /// Another for other bytes.
  let tag: String
  let size: Int64
  let filename: String
  let type: String
  /// `Repr-Digest`; nil where it is not known.
  var digest: String?

  /// The answer up to its body.
  ///
  /// - Parameter body: Makes the body of a range that is not empty.
  func response(
    to request: Request, body: (Range<Int64>) async throws -> ResponseBody
  ) async throws -> Response {
    let tag = "\"\(tag)\""
    var headers: HTTPFields = [
      .eTag: tag, .acceptRanges: "bytes", .cacheControl: "private, no-cache", .contentType: type,
      .contentDisposition: Self.disposition(filename),
    ]
    headers[.contentSecurityPolicy] = "sandbox"
    headers[.reprDigest] = digest
    if request.headers[.ifNoneMatch]?.contains(tag) == true { return Response(status: .notModified, headers: headers) }
    let isFresh = request.headers[.ifRange].map { $0 == tag } ?? true
    guard isFresh, let text = request.headers[.range], size > 0, let range = ByteRange(text, size: size) else {
      let all = size > 0 ? try await body(0..<size) : ResponseBody()
      headers[.contentLength] = String(size)
      return Response(status: .ok, headers: headers, body: all)
    }
    guard case .part(let part) = range else {
      headers[.contentRange] = "bytes */\(size)"
      headers[.contentLength] = "0"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
    let piece = try await body(part.lowerBound..<part.upperBound + 1)
    headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound)/\(size)"
    headers[.contentLength] = String(part.upperBound - part.lowerBound + 1)
    return Response(status: .partialContent, headers: headers, body: piece)
  }

  /// The name as RFC 6266 has it: plain where that is plain ASCII, else escaped.
  private static func disposition(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { $0 > 32 && $0 < 127 && ![34, 47, 92].contains($0) }
    if isPlain { return "attachment; filename=\"\(name)\"" }
    return "attachment; filename*=UTF-8''\(PercentEncoding.encode(name.utf8, keeping: PercentEncoding.isAlphanumeric))"
  }
}

/// One range of `Range: bytes=…`; several, and what cannot be read, are as if there were none.
enum ByteRange: Equatable {
  case part(ClosedRange<Int64>)
  /// It begins behind the end.
  case none

  init?(_ text: String, size: Int64) {
    guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty {
      guard let count = UploadHeaders.count(ends[1]) else { return nil }
      self = count == 0 ? .none : .part(max(0, size - count)...size - 1)
      return
    }
    guard let first = UploadHeaders.count(ends[0]) else { return nil }
    if ends[1].isEmpty {
      self = first < size ? .part(first...size - 1) : .none
      return
    }
    guard let last = UploadHeaders.count(ends[1]), first <= last else { return nil }
    self = first < size ? .part(first...min(last, size - 1)) : .none
  }
}
