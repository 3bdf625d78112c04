package import MPaaSSupport

extension ModuleError.Code {
  // Errors of the configuration.
  package static var registryNone: Self { Self("registry-none", exit: .badConfiguration) }
  package static var registryUnknown: Self { Self("registry-unknown", exit: .badConfiguration) }
  package static var registryUnknownNear: Self { Self("registry-unknown-near", exit: .badConfiguration) }
  package static var registryNoRoot: Self { Self("registry-no-root", exit: .badConfiguration) }
  package static var registryBadName: Self { Self("registry-bad-name", exit: .usage) }
  package static var registryKnown: Self { Self("registry-known", exit: .cannotCreate) }
  package static var registriesMalformed: Self { Self("registries-malformed", exit: .badConfiguration) }
  package static var registryNotTrusted: Self { refused("registry-not-trusted") }
  package static var registryFingerprint: Self { refused("registry-fingerprint") }

  // Errors of what a registry says, or does not have.
  package static var registryNotFetched: Self { Self("registry-not-fetched", exit: .unreachable) }
  package static var moduleIndexMissing: Self { Self("module-index-missing", exit: .unreachable) }
  package static var moduleIndexOfOther: Self { malformed("module-index-of-other") }
  package static var moduleArchiveDiffers: Self { refused("module-archive-differs") }
  package static var moduleArchiveNotOffered: Self { Self("module-archive-not-offered", exit: .inputMissing) }
  package static var moduleUnknown: Self { Self("sdk-module-unknown", exit: .inputMissing) }
  package static var moduleUnknownNear: Self { Self("sdk-module-unknown-near", exit: .inputMissing) }
  package static var moduleVersionUnknown: Self { Self("module-version-unknown", exit: .inputMissing) }
}
