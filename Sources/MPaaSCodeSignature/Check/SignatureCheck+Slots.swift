import MPaaSConfig
import MPaaSSupport

extension SignatureCheck {
  private static let slotNames: [(slot: UInt32, name: String)] = [
    (CodeSignature.Slot.infoPlist, "Info.plist"), (CodeSignature.Slot.requirements, "requirements"),
    (CodeSignature.Slot.resources, "CodeResources"), (CodeSignature.Slot.entitlements, "entitlements"),
    (CodeSignature.Slot.entitlementsDER, "DER entitlements"),
  ]

  /// Compares the parts outside the pages with the digests that the directories keep of them.
  mutating func checkSlots(_ signature: CodeSignature, _ surroundings: Surroundings) {
    for (slot, name) in Self.slotNames {
      let (bytes, offset): (Bytes?, UInt64?) =
        switch slot {
        case CodeSignature.Slot.infoPlist: (surroundings.infoPlist, nil)
        case CodeSignature.Slot.resources: (surroundings.resources, nil)
        default: (signature.blob(slot)?.bytes, signature.blob(slot)?.offset)
        }
      for directory in signature.directories {
        check(slot, name, bytes, offset, directory)
      }
    }
  }

  private mutating func check(
    _ slot: UInt32, _ name: String, _ bytes: Bytes?, _ offset: UInt64?, _ directory: CodeDirectory
  ) {
    let kept = directory.special(slot)
    let isOutside = slot == CodeSignature.Slot.infoPlist || slot == CodeSignature.Slot.resources
    let values = ["part": name, "hash": directory.hash.name]
    switch (kept, bytes) {
    case (nil, nil): break
    case (_?, nil):
      // Parts outside the image are judged where the caller has them.
      if !isOutside { findings.append(SignatureFinding("scan-signature-part-missing", at: directory.offset, values)) }
    case (nil, _?):
      findings.append(SignatureFinding("scan-signature-part-unsealed", at: offset ?? directory.offset, values))
    case (let kept?, let bytes?):
      let digest = withExtendedLifetime(bytes) { directory.hash.digest(bytes.buffer) }
      guard !digest.starts(with: kept) else { return }
      findings.append(SignatureFinding("scan-signature-part-changed", at: offset, values))
    }
  }

  /// Reads the requirements, and the entitlements in both forms, which must say the same.
  mutating func checkSaid(_ signature: CodeSignature) {
    do throws(CodeSignatureError) {
      requirements = try signature.requirements().map(\.line)
    } catch {
      findings.append(SignatureFinding(error, part: "requirements"))
    }
    let xml = read(signature.blob(CodeSignature.Slot.entitlements), "entitlements", EntitlementsReader.xml)
    let der = read(signature.blob(CodeSignature.Slot.entitlementsDER), "DER entitlements", EntitlementsReader.der)
    entitlements = xml ?? der
    if let xml, let der, !xml.isSame(as: der) {
      let keys = Set((xml.members ?? []).map(\.key) + (der.members ?? []).map(\.key)).sorted()
      let differing = keys.filter { key in
        switch (xml[key], der[key]) {
        case (let left?, let right?): !left.isSame(as: right)
        default: true
        }
      }
      findings.append(
        SignatureFinding(
          "scan-entitlements-differ", at: signature.blob(CodeSignature.Slot.entitlementsDER)?.offset,
          ["keys": differing.joined(separator: ", ")]))
    }
  }

  private mutating func read(
    _ blob: SignatureBlob?, _ part: String,
    _ reader: (SignatureBlob) throws(CodeSignatureError) -> PropertyListValue
  ) -> PropertyListValue? {
    guard let blob else { return nil }
    do throws(CodeSignatureError) {
      return try reader(blob)
    } catch {
      findings.append(SignatureFinding(error, part: part))
      return nil
    }
  }
}
