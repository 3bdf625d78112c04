import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("Private keys in PEM") struct PrivateKeyTests {
  @Test("a private key of each kind survives PEM, plain and encrypted", arguments: KeyKind.allCases)
  func roundTrips(kind: KeyKind) throws {
    let key = try PrivateKey.generate(kind)
    let read = try PrivateKey(pem: key.pem)
    #expect(read.publicKey == key.publicKey)
    #expect(read.pkcs8 == key.pkcs8)
    let passphrase = SecretBytes(copying: "geheim")
    let sealed = try KeyFile(SecretBytes(copying: key.text(.pem, passphrase: passphrase)), name: "test")
    #expect(sealed.isEncrypted)
    #expect(try sealed.open(with: passphrase, name: "test").pkcs8 == key.pkcs8)
    let wrong = refusal { try sealed.open(with: SecretBytes(copying: "other"), name: "test") }
    #expect(wrong == "passphrase-wrong")
  }

  @Test("OpenSSL reads what is written and writes what is read", .tool("openssl"), arguments: KeyKind.allCases)
  func openssl(kind: KeyKind) throws {
    let folder = try TemporaryFolder()
    let key = try PrivateKey.generate(kind)
    try key.text(.pem, passphrase: SecretBytes(copying: "pw")).write(
      to: folder.url.appending(path: "key"), atomically: true, encoding: .utf8)
    let record = KeyRecord(name: "k", publicKey: key.publicKey, created: .now)
    let shown = try Command.run("openssl", ["pkey", "-in", folder.path + "/key", "-passin", "pass:pw", "-pubout"])
    #expect(try shown.output == record.text(.pem), "\(shown.errors)")
    // scrypt as OpenSSL takes it by itself, and PBKDF2 with its old default of HMAC-SHA-1.
    for way in [["-scrypt"], ["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1"], ["-v2", "aes-192-cbc"]] {
      let arguments = ["pkcs8", "-topk8", "-in", folder.path + "/key", "-passin", "pass:pw", "-passout", "pass:two"]
      let sealed = try Command.run("openssl", arguments + way)
      let file = try KeyFile(SecretBytes(copying: sealed.output), name: "openssl")
      #expect(try file.open(with: SecretBytes(copying: "two"), name: "openssl").publicKey == key.publicKey, "\(way)")
    }
  }

  @Test("keys that OpenSSL wrote before PKCS#8 are read", .tool("openssl"))
  func older() throws {
    let curve = try Command.run("openssl", ["ecparam", "-name", "prime256v1", "-genkey"]).output
    #expect(try PrivateKey(pem: curve).kind == .p256)
    let rsa = try Command.run("openssl", ["genrsa", "-traditional", "2048"]).output
    #expect(try PrivateKey(pem: rsa).kind == .rsa)
    let small = try Command.run("openssl", ["genrsa", "1024"]).output
    #expect(refusal { try PrivateKey(pem: small) } == "key-rsa-too-small")
    let other = try Command.run("openssl", ["ecparam", "-name", "secp384r1", "-genkey"]).output
    #expect(refusal { try PrivateKey(pem: other) } == "private-key-malformed")
  }

  @Test("a key whose halves do not belong together is refused")
  func halves() throws {
    let key = try PrivateKey.generate(.ed25519).pkcs8
    let other = try SigningKey.generate().verificationKey.bytes
    var der = Data([0x30, 0x51, 0x02, 0x01, 0x01]) + key.dropFirst(5) + [0x81, 0x21, 0x00] + other
    let text = PEMBlock(label: "PRIVATE KEY", der: der).text
    #expect(refusal { try PrivateKey(pem: text) } == "private-key-malformed")
    der.replaceSubrange(51..., with: try PrivateKey(pem: PEMBlock(label: "PRIVATE KEY", der: key).text).publicBytes)
    #expect(try PrivateKey(pem: PEMBlock(label: "PRIVATE KEY", der: der).text).pkcs8 == key)
  }

  @Test("a fingerprint in words says the first 128 bits")
  func words() throws {
    #expect(KeyFingerprint.words([127, 0, 0, 1]) == "lusab-babad")
    #expect(KeyFingerprint.words([63, 84, 220, 193]) == "gutih-tugad")
    let print = KeyFingerprint(of: Data())
    #expect(print.hexadecimal == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(print.words.split(separator: "-").count == 8)
  }

  @Test("ssh-keygen reads public keys", .tool("ssh-keygen"), arguments: [KeyKind.ed25519, .p256, .rsa])
  func ssh(kind: KeyKind) throws {
    let folder = try TemporaryFolder()
    let record = KeyRecord(name: "k", publicKey: try PrivateKey.generate(kind).publicKey, created: .now)
    let path = folder.path + "/key.pub"
    try record.text(.ssh).write(toFile: path, atomically: true, encoding: .utf8)
    let pem = try Command.run("ssh-keygen", ["-e", "-m", "PKCS8", "-f", path])
    if kind != .ed25519 { #expect(try pem.output == record.text(.pem), "\(pem.errors)") }
    #expect(try Command.run("ssh-keygen", ["-l", "-f", path]).status == 0)
  }

  @Test("minisign signs with a key that was exported, and its own keys are read with their numbers", .tool("minisign"))
  func minisign() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let key = try PrivateKey.generate(.ed25519)
    let record = KeyRecord(name: "k", publicKey: key.publicKey, created: .now)
    try key.text(.minisign, passphrase: nil).write(toFile: path + "/k.key", atomically: true, encoding: .utf8)
    try record.text(.minisign).write(toFile: path + "/k.pub", atomically: true, encoding: .utf8)
    try "the fix".write(toFile: path + "/f", atomically: true, encoding: .utf8)
    let signed = try Command.run("minisign", ["-S", "-s", path + "/k.key", "-m", path + "/f"])
    #expect(signed.status == 0, "\(signed.errors)")
    let verified = try Command.run("minisign", ["-V", "-p", path + "/k.pub", "-m", path + "/f"])
    #expect(verified.status == 0, "\(verified.errors)")
    let made = try Command.run("minisign", ["-G", "-W", "-p", path + "/m.pub", "-s", path + "/m.key"])
    try #require(made.status == 0, "\(made.errors)")
    let secret = try KeyFile(PrivateFile.readAnyway(path + "/m.key").bytes, name: "m")
    let (imported, number) = try secret.openNumbered(with: nil, name: "m")
    let published = try KeyFile(PrivateFile.readAnyway(path + "/m.pub").bytes, name: "m").record(named: "m", at: .now)
    #expect(imported.publicKey == published.publicKey)
    #expect(published.number == number)
    let lines = try String(contentsOfFile: path + "/m.pub", encoding: .utf8).split(separator: "\n")
    #expect(try published.text(.minisign).split(separator: "\n").last == lines.last)
    let passphrase = SecretBytes(copying: "pw")
    let text = try key.text(.minisign, passphrase: passphrase, workFactor: 10)
    let sealed = try KeyFile(SecretBytes(copying: text), name: "k")
    #expect(sealed.isEncrypted)
    #expect(try sealed.open(with: passphrase, name: "k").publicKey == key.publicKey)
    #expect(refusal { try sealed.open(with: SecretBytes(copying: "pv"), name: "k") } == "passphrase-wrong")
  }

  @Test("mutated key files give a key or an error, and never crash")
  func fuzz() throws {
    let passphrase = SecretBytes(copying: "pw")
    let key = try PrivateKey.generate(.ed25519)
    let record = KeyRecord(name: "k", publicKey: key.publicKey, created: .now)
    let sealed = try key.text(.pem, passphrase: passphrase)
    // Few rounds of PBKDF2, so that many mutations can be tried.
    let der = try #require(try PEMBlock.blocks(in: sealed).first).der
    let seeds: [[UInt8]] = [
      Array(key.pem.utf8), Array(try PrivateKey.generate(.p256).pem.utf8), Array(record.value.line.utf8),
      Array(try record.text(.tuf).utf8), Array(try record.text(.pem).utf8),
      Array(try PrivateKey.generate(.age).text(.age, passphrase: nil).utf8),
    ]
    var random = SeededRandom(seed: 41)
    for round in 0..<SeededRandom.rounds(or: 600) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: bytes.removeSubrange(place...); bytes.append(10)
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      Self.read(bytes, passphrase)
      var changed = der
      // Not the number of rounds, which would make each try slow.
      let place = (0..<der.count).filter { !(50...80).contains($0) }.randomElement(using: &random) ?? 0
      changed[changed.startIndex + place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      if round % 100 == 0 {
        Self.read(Array(PEMBlock(label: "ENCRYPTED PRIVATE KEY", der: changed).text.utf8), passphrase)
      }
    }
  }

  private static func read(_ bytes: [UInt8], _ passphrase: SecretBytes) {
    let secret = bytes.withUnsafeBytes { SecretBytes(copying: $0) }
    guard let file = try? KeyFile(secret, name: "fuzz") else { return }
    if file.isPrivate { _ = try? file.open(with: passphrase, name: "fuzz") }
    _ = try? file.record(named: "fuzz", at: .now)
  }
}
