import Crypto
import MPaaSSupport
package import MPaaSTrust

/// The private key files of minisign.
///
/// Source: minisign's secret key format. A comment, and base64 of: `Ed`; `Sc` where scrypt encrypts it, else two zeros;
/// `B2`; 32 bytes of salt; scrypt's limits on operations and memory as two little-endian numbers of 8 bytes; and then,
/// combined with scrypt's output by exclusive or: the key's number, the 64 bytes of the key, and the BLAKE2b-256 digest
/// of `Ed`, number and key. Without encryption the limits, the salt and the digest are zeros.
package enum MinisignSecretKey {
  private static let sealedSize = 104

  /// - Parameter passphrase: nil for a key that is not encrypted.
  /// - Throws: `TrustError` `signature-file-malformed`, `passphrase-missing`, `passphrase-wrong`,
  ///   `age-scrypt-not-allowed` where more than 4 GiB of memory are asked for.
  package static func read(
    _ text: some Collection<UInt8>, passphrase: String?
  ) throws(TrustError) -> NumberedSigningKey {
    var lines = try SignatureLines(text, tool: "minisign")
    _ = try lines.comment(SignatureLines.untrusted)
    var cursor = Array(try lines.bytes(158, "Ed"))[...]
    try lines.end()
    func take(_ count: Int) -> [UInt8] {
      defer { cursor = cursor.dropFirst(count) }
      return Array(cursor.prefix(count))
    }
    let derivation = take(2)
    guard take(2) == Array("B2".utf8) else { throw lines.error }
    let salt = take(32), operations = number(take(8)), memory = number(take(8))
    var sealed = take(sealedSize)
    let isEncrypted = derivation == Array("Sc".utf8)
    guard isEncrypted || derivation == [0, 0] else { throw lines.error }
    if isEncrypted {
      guard let passphrase else { throw TrustError(.passphraseMissing, ["name": "minisign"]) }
      let costs = try ScryptCosts(operations: operations, memory: memory)
      try combine(&sealed, passphrase, salt: salt, costs)
    }
    let digest = Array(sealed.suffix(32))
    let isWhole = digest == checksum(sealed) || (!isEncrypted && digest.allSatisfy { $0 == 0 })
    guard isWhole, let key = NumberedSigningKey(number: sealed.prefix(8), secret: sealed[8..<72]) else {
      throw isEncrypted ? TrustError(.passphraseWrong, ["name": "minisign"]) : lines.error
    }
    return key
  }

  /// - Parameters:
  ///   - passphrase: nil to write the key without encryption.
  ///   - workFactor: The base-2 logarithm of scrypt's N, from 10: each step doubles time and memory (1 KiB times N).
  package static func text(
    _ key: NumberedSigningKey, passphrase: String?, workFactor: Int = 18
  ) throws(TrustError) -> String {
    var sealed = key.number + key.secret
    sealed += passphrase == nil ? [UInt8](repeating: 0, count: 32) : checksum(sealed)
    var head = Array("Ed".utf8) + (passphrase == nil ? [0, 0] : Array("Sc".utf8)) + Array("B2".utf8)
    var salt = [UInt8](repeating: 0, count: 32)
    var limits: [UInt64] = [0, 0]
    if let passphrase {
      let factor = UInt64(min(max(workFactor, 10), Scrypt.largestWorkFactor))
      salt = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
      limits = [1 << (factor + 5), 1 << (factor + 10)]
      try combine(&sealed, passphrase, salt: salt, ScryptCosts(operations: limits[0], memory: limits[1]))
    }
    head += salt
    for limit in limits { head += (0..<8).map { UInt8(limit >> (8 * UInt64($0)) & 0xff) } }
    let comment = "minisign \(passphrase == nil ? "unencrypted" : "encrypted") secret key"
    return SignatureLines.text(comment, head + sealed)
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func checksum(_ sealed: [UInt8]) -> [UInt8] {
    (Array("Ed".utf8) + sealed.prefix(72)).withUnsafeBytes { BLAKE2b.digest($0, size: 32) }
  }

  /// Encrypts or decrypts.
  private static func combine(
    _ sealed: inout [UInt8], _ passphrase: String, salt: [UInt8], _ costs: ScryptCosts
  ) throws(TrustError) {
    let key = Scrypt.key(
      passphrase.utf8, salt: salt, workFactor: costs.workFactor, parallelism: costs.parallelism, count: sealedSize)
    guard let key else { throw costs.error }
    for index in sealed.indices { sealed[index] ^= key[index] }
  }
}

/// Scrypt's parameters as libsodium chooses them for a limit on operations and one on memory
/// (`crypto_pwhash_scryptsalsa208sha256`); r is 8.
struct ScryptCosts: Equatable {
  let workFactor: Int
  let parallelism: Int

  let error = TrustError(.ageScryptNotAllowed, ["limit": String(Scrypt.largestWorkFactor)])

  /// - Parameter memory: In bytes.
  init(operations: UInt64, memory: UInt64) throws(TrustError) {
    let operations = max(operations, 32_768)
    let isShort = operations < memory / 32
    let most = isShort ? operations / 32 : memory / 1024
    // The first power of two that is more than half of what is allowed.
    workFactor = (1..<63).first { 1 << UInt64($0) > most / 2 } ?? 63
    parallelism = isShort ? 1 : Int(min((operations / 4) >> UInt64(workFactor), 0x3fff_ffff) / 8)
    guard workFactor <= Scrypt.largestWorkFactor, 1...16 ~= parallelism else { throw error }
  }
}
