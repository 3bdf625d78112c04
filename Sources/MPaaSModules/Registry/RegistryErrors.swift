import MPaaSSupport

extension ModuleError.Code {
  // What is not configured.
  package static let registryNone = ModuleError.Code("registry-none", exit: .badConfiguration)
  package static let registryUnknown = ModuleError.Code("registry-unknown", exit: .badConfiguration)
  package static let registryUnknownNear = ModuleError.Code("registry-unknown-near", exit: .badConfiguration)
  package static let registryNoRoot = ModuleError.Code("registry-no-root", exit: .badConfiguration)
  package static let registryBadName = ModuleError.Code("registry-bad-name", exit: .usage)
  package static let registryKnown = ModuleError.Code("registry-known", exit: .cannotCreate)
  package static let registriesMalformed = ModuleError.Code("registries-malformed", exit: .badConfiguration)
  package static let registryNotTrusted = refused("registry-not-trusted")
  package static let registryFingerprint = refused("registry-fingerprint")

  // What a registry says, or does not have.
  package static let registryNotFetched = ModuleError.Code("registry-not-fetched", exit: .unreachable)
  package static let moduleIndexMissing = ModuleError.Code("module-index-missing", exit: .unreachable)
  package static let moduleIndexOfOther = malformed("module-index-of-other")
  package static let moduleArchiveDiffers = refused("module-archive-differs")
  package static let moduleArchiveNotOffered = ModuleError.Code("module-archive-not-offered", exit: .inputMissing)
  package static let moduleUnknown = ModuleError.Code("sdk-module-unknown", exit: .inputMissing)
  package static let moduleUnknownNear = ModuleError.Code("sdk-module-unknown-near", exit: .inputMissing)
  package static let moduleVersionUnknown = ModuleError.Code("module-version-unknown", exit: .inputMissing)
}
