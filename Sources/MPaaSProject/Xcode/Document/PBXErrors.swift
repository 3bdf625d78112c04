import MPaaSConfig
import MPaaSSupport

extension ConfigError.Code {
  /// A project whose root is no dictionary.
  static var pbxRoot: Self { malformed("pbx-root") }
  /// A project without a dictionary of objects.
  static var pbxObjects: Self { malformed("pbx-objects") }
  /// A project with the marks of a merge that was not finished.
  static var pbxConflict: Self { malformed("pbx-conflict") }
  /// An edit whose result, read again, is not what it was meant to be.
  static var pbxEdit: Self { ConfigError.Code("pbx-edit", exit: .internalFault) }
  static var pbxProjectMissing: Self { ConfigError.Code("pbx-project-missing", exit: .inputMissing) }
  static var pbxProjectAmbiguous: Self { ConfigError.Code("pbx-project-ambiguous", exit: .usage) }
}
