package import MPaaSCodeSignature
package import MPaaSSupport

/// The terms that an image was signed on, and by whom: what its signature says besides its pages.
package struct SigningFacts: Sendable {
  /// A certificate of the signer's chain.
  package struct Certificate: Sendable, Equatable {
    package let name: String
    /// The first and the last day of its validity.
    package let first: CivilDate
    package let last: CivilDate
  }

  package let isAdHoc: Bool
  package let flags: CodeDirectory.Flags
  /// The version of the hardened runtime, such as `13.3.0`; nil where none is told.
  package let runtimeVersion: String?
  /// The day that the signer says he signed at.
  package let day: CivilDate?
  /// The signer's certificate and its issuers'.
  package let chain: [Certificate]
  package let chainEnd: CertificateChain.End?

  init(_ check: SignatureCheck) {
    isAdHoc = check.isAdHoc
    flags = check.flags
    runtimeVersion = check.runtimeVersion.map { "\($0 >> 16).\($0 >> 8 & 0xff).\($0 & 0xff)" }
    day = check.signingTime.map { CivilDate.at(secondsSince1970: $0).date }
    chain = (check.chain?.certificates ?? []).map { certificate in
      Certificate(
        name: certificate.subject.short,
        first: CivilDate.at(secondsSince1970: certificate.validity.lowerBound).date,
        last: CivilDate.at(secondsSince1970: certificate.validity.upperBound).date)
    }
    chainEnd = check.chain?.end
  }

  package var json: JSONValue {
    [
      "adHoc": .bool(isAdHoc), "flags": JSONValue(flags.rawValue),
      "hardenedRuntime": .bool(flags.contains(.hardenedRuntime)), "runtimeVersion": JSONValue(text: runtimeVersion),
      "libraryValidation": .bool(flags.contains(.libraryValidation)), "day": JSONValue(text: day.map { "\($0)" }),
      "chain": .array(
        chain.map { certificate in
          [
            "name": .string(certificate.name), "from": .string("\(certificate.first)"),
            "until": .string("\(certificate.last)"),
          ]
        }),
      "chainEnd": JSONValue(text: chainEnd.map(Self.word)),
    ]
  }

  private static func word(_ end: CertificateChain.End) -> String {
    switch end {
    case .anchored: "anchored"
    case .selfSigned: "self-signed"
    case .issuerAbsent: "issuer-absent"
    }
  }
}
