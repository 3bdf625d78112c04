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

/// An age file while it is written, piece by piece.
package struct AgeEncryption {
  private enum Step { case header, payload, end, done }

  private let plaintext: UnsafeRawBufferPointer
  private let header: AgeHeader
  private let nonce: [UInt8]
  private var cipher: AgeCipher
  private let isArmored: Bool
  private var step = Step.header
  /// Bytes of the plaintext that were encrypted.
  package private(set) var offset = 0
  /// Bytes that do not fill a line of armour yet.
  private var rest = Data()

  package init(
    _ plaintext: UnsafeRawBufferPointer, to recipients: [AgeRecipient], armored isArmored: Bool,
    secrets: AgeSecrets? = nil
  ) throws(TrustError) {
    self.plaintext = plaintext
    self.isArmored = isArmored
    let secrets = secrets ?? AgeSecrets(count: recipients.count)
    let fileKey = secrets.fileKey
    guard secrets.ephemeral.count == recipients.count else { throw TrustError(.ageRecipients) }
    var stanzas: [AgeHeader.Stanza] = []
    for (recipient, ephemeral) in zip(recipients, secrets.ephemeral) {
      switch recipient.kind {
      case .x25519(let key): stanzas.append(try AgeHeader.Stanza(fileKey, for: key, ephemeral: ephemeral))
      case .secret(let secret):
        guard recipients.count == 1 else { throw TrustError(.ageRecipients) }
        stanzas.append(try secret.stanza(fileKey))
      }
    }
    guard !stanzas.isEmpty else { throw TrustError(.ageRecipients) }
    header = AgeHeader(stanzas, fileKey: fileKey)
    nonce = secrets.nonce
    cipher = AgeCipher(fileKey: fileKey, nonce: nonce)
  }

  /// The next piece of the file; nil behind its end.
  package mutating func next() throws(TrustError) -> [UInt8]? {
    switch step {
    case .header:
      step = .payload
      let begin = isArmored ? Array((AgeArmor.begin + "\n").utf8) : []
      return begin + written(Data(header.encoded + nonce))
    case .payload:
      let end = min(plaintext.count, offset + AgeCipher.chunkSize)
      let chunk = UnsafeRawBufferPointer(rebasing: plaintext[offset..<end])
      guard let sealed = cipher.seal(chunk, isLast: end == plaintext.count) else {
        throw TrustError(.encryptionFailed)
      }
      offset = end
      if end == plaintext.count { step = isArmored ? .end : .done }
      return written(sealed)
    case .end:
      step = .done
      return AgeArmor.lines(rest) + Array((AgeArmor.end + "\n").utf8)
    case .done: return nil
    }
  }

  /// `bytes` as they are, or what is there of full lines.
  private mutating func written(_ bytes: Data) -> [UInt8] {
    guard isArmored else { return [UInt8](bytes) }
    rest.append(bytes)
    let whole = rest.count - rest.count % AgeArmor.lineBytes
    defer { rest = Data(rest.dropFirst(whole)) }
    return AgeArmor.lines(rest.prefix(whole))
  }
}

extension TrustError.Code {
  package static let ageRecipients = TrustError.Code("age-recipients", exit: .usage)
  package static let encryptionFailed = TrustError.Code("encryption-failed", exit: .internalFault)
}
