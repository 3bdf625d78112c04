import CCompression
import HTTPTypes
package import MPaaSProtocol

/// The encodings of bodies that are read.
package enum BodyDecoding: String, Sendable, CaseIterable {
  case identity, gzip, deflate, zstd
  /// By a library that not every machine has.
  case brotli = "br"

  /// A body as it was before it was encoded.
  ///
  /// - Parameter hold: Asked for what comes out before it does, so that no memory is filled that the budget lacks.
  /// - Throws: `Refusal` `server-expands`, `server-encoding`, `server-crowded`.
  package func decoded(
    _ body: [UInt8], _ limits: ServerConfiguration.Limits, _ hold: BodyHold? = nil
  ) throws -> [UInt8] {
    if self == .identity { return body }
    // A small body may be mostly header.
    let (product, isHuge) = body.count.multipliedReportingOverflow(by: max(limits.ratio, 1))
    let most = min(isHuge ? .max : max(product, 64 << 10), Int(clamping: limits.decompressed))
    var outcome = MPAAS_DAMAGED
    // Only what the decoder comes to is ever touched, and so is memory.
    let decoded = [UInt8](unsafeUninitializedCapacity: most) { output, count in
      outcome = decode(body, into: output, hold, &count)
    }
    switch outcome {
    case MPAAS_DECOMPRESSED: return decoded
    case MPAAS_TOO_LARGE: throw Refusal(.expands, ["limit": String(most)])
    case MPAAS_NO_ROOM: throw Refusal(.crowded)
    default:
      let status: HTTPResponse.Status? = isKnownHere ? .badRequest : nil
      throw Refusal(.encoding, ["encoding": rawValue], status: status)
    }
  }

  /// Tells whether this machine has what decodes it.
  private var isKnownHere: Bool { self != .brotli || mpaas_brotli_is_there() }

  private var format: mpaas_format? {
    switch self {
    case .gzip: MPAAS_FORMAT_GZIP
    case .deflate: MPAAS_FORMAT_ZLIB
    case .zstd: MPAAS_FORMAT_ZSTD
    case .identity, .brotli: nil
    }
  }

  private func decode(
    _ body: [UInt8], into output: UnsafeMutableBufferPointer<UInt8>, _ hold: BodyHold?, _ count: inout Int
  ) -> mpaas_outcome {
    guard let memory = output.baseAddress else { return MPAAS_TOO_LARGE }
    let ask: mpaas_ask = { context, more in
      guard let hold = context?.assumingMemoryBound(to: BodyHold?.self).pointee else { return true }
      return (try? hold.take(more)) != nil
    }
    var hold = hold
    return withUnsafeMutablePointer(to: &hold) { hold in
      body.withUnsafeBufferPointer { input in
        guard let start = input.baseAddress else { return MPAAS_DAMAGED }
        guard let format else {
          return mpaas_brotli_into(start, input.count, memory, output.count, ask, hold, &count)
        }
        return mpaas_decompress_into(format, start, input.count, memory, output.count, ask, hold, &count)
      }
    }
  }
}
