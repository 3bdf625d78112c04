package import MPaaSConfig
package import MPaaSSupport

/// The judgement of one image's signature: facts, what it says, and what is wrong with it.
package struct SignatureCheck: Sendable {
  package let facts: SignatureFacts
  package internal(set) var findings: [SignatureFinding] = []
  package let flags: CodeDirectory.Flags
  package let runtimeVersion: UInt32?
  /// Lines such as `designated => identifier "com.example" and anchor apple generic`.
  package internal(set) var requirements: [String] = []
  /// The entitlements of the property list, else those in DER.
  package internal(set) var entitlements: PropertyListValue?
  /// The signer's certificate and its issuers'; nil for ad hoc signatures and where it is not in the message.
  package internal(set) var chain: CertificateChain?
  /// The moment that the signer says he signed at, in seconds since 1970.
  package internal(set) var signingTime: Int?
  /// Tells whether there is no signer.
  package let isAdHoc: Bool

  /// Files beside the image that the signature covers; what is not given is not judged.
  package struct Surroundings: Sendable {
    /// `Info.plist` of the bundle, or the section `__TEXT,__info_plist` of a tool.
    package var infoPlist: Bytes?
    /// `_CodeSignature/CodeResources`.
    package var resources: Bytes?
    /// Roots that the caller trusts.
    package var anchors: [X509Certificate] = []

    package init(infoPlist: Bytes? = nil, resources: Bytes? = nil, anchors: [X509Certificate] = []) {
      self.infoPlist = infoPlist
      self.resources = resources
      self.anchors = anchors
    }
  }

  /// Judges a signature: hashes every page and every part, verifies the signer, reads what he allows.
  package init(_ signature: CodeSignature, with surroundings: Surroundings = Surroundings()) {
    let bad = signature.badPages()
    let message = signature.signedData.map { data in Result { () throws(CodeSignatureError) in try CMSMessage(data) } }
    var holds: Bool?
    if case .success(let message) = message { holds = message.holds(signature.directories[0].bytes.array) }
    if case .failure = message { holds = false }
    facts = SignatureFacts(
      directories: zip(signature.directories, bad).map { directory, bad in
        SignatureFacts.Directory(
          identifier: directory.identifier, team: directory.team, hash: directory.hash.name,
          cdhash: directory.cdhash.hexadecimal, codeLimit: directory.codeLimit, badPages: bad)
      }, cmsSignatureHolds: holds)
    flags = signature.best?.flags ?? []
    runtimeVersion = signature.best?.runtimeVersion
    isAdHoc = message == nil
    checkPages(signature, bad)
    checkSlots(signature, surroundings)
    checkSaid(signature)
    switch message {
    case .success(let message)?: check(message, signature, surroundings.anchors)
    case .failure(let error)?:
      let base = signature.blob(CodeSignature.Slot.signature)?.offset ?? 0
      findings.append(SignatureFinding(error.moved(by: base), part: "CMS"))
    case nil: findings.append(SignatureFinding("scan-signature-adhoc", at: signature.directories[0].offset))
    }
  }

  /// Tells of changed pages, the first ones each by its number, and of what no page covers.
  private mutating func checkPages(_ signature: CodeSignature, _ bad: [[Int]]) {
    for (directory, pages) in zip(signature.directories, bad) {
      for page in pages.prefix(Self.mostPages) {
        let range = directory.range(of: page)
        findings.append(
          SignatureFinding(
            "scan-signature-page", at: UInt64(range.lowerBound),
            ["page": "\(page)", "size": "\(range.count)", "hash": directory.hash.name, "count": "\(pages.count)"]))
      }
    }
    let covered = signature.directories.map(\.codeLimit).min() ?? 0
    if covered < signature.offset {
      findings.append(
        SignatureFinding("scan-signature-uncovered", at: covered, ["count": "\(signature.offset - covered)"]))
    }
    if signature.directories.allSatisfy({ $0.hash == .sha1 }) {
      findings.append(SignatureFinding("scan-signature-sha1", at: signature.directories[0].offset))
    }
  }

  /// The most pages that are told one by one.
  private static let mostPages = 16
}
