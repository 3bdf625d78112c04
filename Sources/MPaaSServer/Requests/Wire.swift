import Hummingbird
import MPaaSProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values as they go over the wire.
enum Wire {
  /// Bytes of a value that has a few fields.
  static let few: Int64 = 64 << 10

  /// The value that a request's body is, as JSON.
  ///
  /// - Parameter limit: The most bytes, decompressed too; nil for those of a report.
  /// - Throws: `Refusal` `server-bad-request` naming the field that is wrong.
  static func read<Value: Decodable>(
    _ request: Request, _ context: ServerContext, _ services: ServerServices, limit: Int64? = nil
  ) async throws -> Value {
    let body = try await RequestBodyReader.small(
      of: request, context, limit: limit ?? services.limits.report, limits: services.limits)
    return try value(body)
  }

  static func value<Value: Decodable>(_ body: [UInt8]) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(body))
    } catch let error as DecodingError {
      throw Refusal(.badRequest, ["reason": field(error)])
    } catch {
      throw Refusal(.badRequest, ["reason": "JSON"])
    }
  }

  private static func field(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context): name(context.codingPath + [key])
    case .typeMismatch(_, let context), .valueNotFound(_, let context): name(context.codingPath)
    case .dataCorrupted(let context): context.codingPath.isEmpty ? "JSON" : name(context.codingPath)
    @unknown default: "JSON"
    }
  }

  private static func name(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
}
