package import MPaaSSupport

extension ModuleError.Code {
  static var projectUnknownKey: Self { malformed("project-unknown-key") }
  static var projectUnknownKeyNear: Self { malformed("project-unknown-key-near") }
  static var projectBadValue: Self { malformed("project-bad-value") }
  static var projectKeyMissing: Self { malformed("project-key-missing") }
  static var projectBadName: Self { malformed("project-bad-name") }
  static var projectBadRequirement: Self { malformed("project-bad-requirement") }
  static var projectNameCase: Self { malformed("project-name-case") }
  static var projectMergeConflict: Self { malformed("project-merge-conflict") }
  static var projectNoSuchOption: Self { malformed("project-no-such-option") }
  package static var projectModuleUnused: Self { Self("project-module-unused", exit: .inputMissing) }
  package static var projectModuleUnusedNear: Self { Self("project-module-unused-near", exit: .inputMissing) }
  package static var projectModuleNeeded: Self { Self("project-module-needed", exit: .inputMissing) }
  static var legacyMalformed: Self { malformed("legacy-malformed") }
  static var lockMalformed: Self { malformed("lock-malformed") }
  static var lockNewer: Self { malformed("lock-newer") }
  package static var lockMergeConflict: Self { malformed("lock-merge-conflict") }
  package static var lockOutdated: Self { Self("lock-outdated", exit: .negative) }
  package static var lockDigestChanged: Self { refused("lock-digest-changed") }
}
