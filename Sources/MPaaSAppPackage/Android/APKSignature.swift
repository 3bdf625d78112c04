import MPaaSCodeSignature
import MPaaSSupport

/// The signer of an APK as its newest signature names it; the signature is not compared with the content.
///
/// Source: AOSP, "APK Signature Scheme v2" and "v3"; of v1 the certificate of the signed message.
struct APKSignature {
  /// `v1`, `v2` or `v3`.
  let scheme: String
  /// The signer's certificate in DER.
  let certificate: [UInt8]

  private static let magic = Array("APK Sig Block 42".utf8)
  private static let schemes: [(id: UInt32, name: String)] = [
    (0x1b93_ad61, "v3"), (0xf053_68c0, "v3"), (0x7109_871a, "v2"),
  ]

  /// - Parameters:
  ///   - directory: The place of the zip's directory.
  ///   - message: The content of `META-INF/*.RSA`, nil where there is none.
  init?(_ bytes: Bytes, directory: UInt64, message: () -> Bytes?) {
    let found = withExtendedLifetime(bytes) { Self.block(bytes, before: directory).flatMap(Self.signer) }
    if let found {
      (scheme, certificate) = found
      return
    }
    guard let message = message().flatMap({ try? CMSMessage($0) }),
      let signer = message.chain()?.certificates.first ?? message.certificates.first
    else { return nil }
    (scheme, certificate) = ("v1", signer.bytes)
  }

  /// The pairs of the block that stands before the directory.
  private static func block(_ bytes: Bytes, before directory: UInt64) -> UnsafeRawBufferPointer? {
    guard let end = Int(exactly: directory), end <= bytes.count, end >= 32,
      bytes.buffer[end - 16..<end].elementsEqual(magic)
    else { return nil }
    var cursor = ByteCursor(bytes.buffer, at: end - 24)
    guard let size = try? cursor.u64(), size >= 24, size <= UInt64(end - 8) else { return nil }
    let start = end - Int(size)
    return UnsafeRawBufferPointer(rebasing: bytes.buffer[start..<end - 24])
  }

  private static func signer(_ block: UnsafeRawBufferPointer) -> (String, [UInt8])? {
    var values: [UInt32: UnsafeRawBufferPointer] = [:]
    var cursor = ByteCursor(block)
    while let size = try? cursor.u64(), size >= 4, size <= UInt64(cursor.remaining), let id = try? cursor.u32(),
      let value = try? cursor.bytes(Int(size) - 4)
    {
      if values[id] == nil, values.count < 64 { values[id] = value }
    }
    for (id, name) in schemes {
      if let value = values[id], let certificate = try? certificate(value) { return (name, certificate) }
    }
    return nil
  }

  /// The first certificate of the first signer: lists within lists, each part with its length before it.
  private static func certificate(_ value: UnsafeRawBufferPointer) throws(ByteError) -> [UInt8]? {
    func part(_ cursor: inout ByteCursor) throws(ByteError) -> ByteCursor {
      let size = Int(try cursor.u32())
      return ByteCursor(try cursor.bytes(size))
    }
    var whole = ByteCursor(value)
    var signers = try part(&whole)
    var signer = try part(&signers)
    var signed = try part(&signer)
    _ = try part(&signed)
    var certificates = try part(&signed)
    let first = try part(&certificates)
    guard let known = try? X509Certificate(Bytes(Array(first.buffer))) else { return nil }
    return known.bytes
  }
}
