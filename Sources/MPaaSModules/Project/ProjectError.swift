import MPaaSSupport

extension ModuleError.Code {
  static let projectUnknownKey = malformed("project-unknown-key")
  static let projectUnknownKeyNear = malformed("project-unknown-key-near")
  static let projectBadValue = malformed("project-bad-value")
  static let projectKeyMissing = malformed("project-key-missing")
  static let projectBadName = malformed("project-bad-name")
  static let projectBadRequirement = malformed("project-bad-requirement")
  static let projectNameCase = malformed("project-name-case")
  static let projectMergeConflict = malformed("project-merge-conflict")
  static let projectNoSuchOption = malformed("project-no-such-option")
  package static let projectModuleUnused = ModuleError.Code("project-module-unused", exit: .inputMissing)
  package static let projectModuleUnusedNear = ModuleError.Code("project-module-unused-near", exit: .inputMissing)
  package static let projectModuleNeeded = ModuleError.Code("project-module-needed", exit: .inputMissing)
  static let legacyMalformed = malformed("legacy-malformed")
  static let lockMalformed = malformed("lock-malformed")
  static let lockNewer = malformed("lock-newer")
  package static let lockMergeConflict = malformed("lock-merge-conflict")
  package static let lockOutdated = ModuleError.Code("lock-outdated", exit: .negative)
  package static let lockDigestChanged = refused("lock-digest-changed")
}
