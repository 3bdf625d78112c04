import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The head of an age file: the file key, wrapped once for each recipient.
///
/// Source: age-encryption.org/v1, section "Header".
package struct AgeHeader {
  /// One wrapping of the file key, or something that this version does not know.
  package struct Stanza {
    package var arguments: [String]
    package var body: [UInt8]

    package init(arguments: [String], body: [UInt8]) {
      self.arguments = arguments
      self.body = body
    }
  }

  /// The largest base-2 logarithm of scrypt's N that is computed for a file: 4 GiB of memory with blocks of 1 KiB.
  package static let largestWorkFactor = 22
  static let version = "age-encryption.org/v1"
  /// The largest header that is read: some ten thousand recipients.
  static let largestSize = 1 << 20

  let stanzas: [Stanza]
  /// The bytes that the code of authentication covers: all up to and with `---`.
  let authenticated: [UInt8]
  let code: [UInt8]
  /// Bytes up to the nonce of the payload.
  let size: Int

  /// - Throws: `TrustError` `age-header-malformed` with the value `place`.
  init(_ bytes: some RandomAccessCollection<UInt8>) throws(TrustError) {
    var lines = AgeHeaderLines(Array(bytes))
    guard try lines.next() == Self.version else { throw lines.error }
    var stanzas: [Stanza] = []
    var line = try lines.next()
    while line.hasPrefix("-> ") {
      stanzas.append(try lines.stanza(line))
      line = try lines.next()
    }
    guard !stanzas.isEmpty, line.hasPrefix("--- "), let code = Base64.decode(line.utf8.dropFirst(4), isPadded: false),
      code.count == 32
    else { throw lines.error }
    self.stanzas = stanzas
    self.code = code
    size = lines.end
    authenticated = Array(lines.bytes[..<(lines.start + 3)])
  }

  /// Makes the header of a file that is to be written.
  init(_ stanzas: [Stanza], fileKey: SymmetricKey) {
    var text = Self.version + "\n"
    for stanza in stanzas {
      text += "-> " + stanza.arguments.joined(separator: " ") + "\n"
      var rest = Base64.encode(stanza.body, isPadded: false)[...]
      // The last line is a short one, be it empty.
      while rest.utf8.count >= 64 {
        text += rest.prefix(64) + "\n"
        rest = rest.dropFirst(64)
      }
      text += rest + "\n"
    }
    self.stanzas = stanzas
    authenticated = Array((text + "---").utf8)
    code = Array(HMAC<SHA256>.authenticationCode(for: authenticated, using: Self.key(fileKey)))
    size = authenticated.count + 1 + 43 + 1
  }

  var encoded: [UInt8] {
    authenticated + Array((" " + Base64.encode(code, isPadded: false) + "\n").utf8)
  }

  func isAuthentic(_ fileKey: SymmetricKey) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: authenticated, using: Self.key(fileKey))
  }

  private static func key(_ fileKey: SymmetricKey) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(inputKeyMaterial: fileKey, info: Array("header".utf8), outputByteCount: 32)
  }
}

/// The lines of a header, one after another; only a line feed ends one.
private struct AgeHeaderLines {
  let bytes: [UInt8]
  /// The beginning of the line that was read last, and the offset behind its end.
  private(set) var start = 0
  private(set) var end = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var error: TrustError { TrustError(.ageHeaderMalformed, ["place": "offset \(start)"]) }

  /// The next line, of printable ASCII and single spaces.
  mutating func next() throws(TrustError) -> String {
    start = end
    guard let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { throw error }
    end = feed + 1
    let line = bytes[start..<feed]
    guard line.allSatisfy({ 0x20...0x7e ~= $0 }) else { throw error }
    return String(decoding: line, as: UTF8.self)
  }

  /// The stanza that begins with `line`.
  mutating func stanza(_ line: String) throws(TrustError) -> AgeHeader.Stanza {
    let arguments = line.utf8.dropFirst(3).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard arguments.allSatisfy({ !$0.isEmpty }) else { throw error }
    var text: [UInt8] = []
    while true {
      let part = try next().utf8
      guard part.count <= 64 else { throw error }
      text += part
      if part.count < 64 { break }
    }
    guard let body = Base64.decode(text, isPadded: false) else { throw error }
    return AgeHeader.Stanza(arguments: arguments.map { String($0) ?? "" }, body: body)
  }
}

extension TrustError.Code {
  package static let ageHeaderMalformed = malformed("age-header-malformed")
  package static let ageScryptNotAllowed = refused("age-scrypt-not-allowed")
}
