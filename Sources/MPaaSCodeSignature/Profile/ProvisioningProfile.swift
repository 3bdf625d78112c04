package import MPaaSConfig
package import MPaaSSupport

/// A provisioning profile: `embedded.mobileprovision`, a property list inside a signed message.
package struct ProvisioningProfile: Sendable {
  package let name: String
  package let teams: [String]
  /// The rights that apps may ask for; `*` at the end of a text stands for any end.
  package let entitlements: PropertyListValue
  /// Identifiers of devices; nil where the profile is for a store, or for all.
  package let devices: [String]?
  package let isForAllDevices: Bool
  /// Seconds since 1970.
  package let expiration: Int?
  /// The certificates whose holders may sign, in DER.
  package let certificates: [[UInt8]]
  /// Tells whether the signature of the profile itself holds.
  package let signatureHolds: Bool
  /// The chain of its signer.
  package let chain: CertificateChain?

  /// Reads a profile.
  ///
  /// - Throws: `CodeSignatureError` `badASN1` or `badPropertyList`.
  package init(_ bytes: Bytes, anchors: [X509Certificate] = []) throws(CodeSignatureError) {
    let message = try CMSMessage(bytes)
    guard let content = message.content,
      let root = try? PropertyListFile(content, file: "embedded.mobileprovision").root,
      let entitlements = root["Entitlements"], entitlements.members != nil
    else { throw CodeSignatureError(.badPropertyList, offset: 0) }
    self.entitlements = entitlements
    name = root["Name"]?.string ?? ""
    teams = root["TeamIdentifier"]?.values?.compactMap(\.string) ?? []
    devices = root["ProvisionedDevices"]?.values?.compactMap(\.string)
    isForAllDevices = root["ProvisionsAllDevices"]?.boolean ?? false
    certificates =
      root["DeveloperCertificates"]?.values?.compactMap { if case .data(let bytes) = $0.content { bytes } else { nil } }
      ?? []
    expiration = if case .date(let date)? = root["ExpirationDate"]?.content { date.secondsSince1970 } else { nil }
    signatureHolds = message.holds(content)
    chain = message.chain(anchors: anchors)
  }
}

extension PropertyListDate {
  fileprivate var secondsSince1970: Int {
    CivilDate.days(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
  }
}
