import MPaaSAppPackage
import MPaaSSupport

extension CodedError<ServerDomain>.Code {
  /// A file that is no app for phones and no archive of one.
  static var buildUnknown: Self { .malformed("server-build-unknown") }
  /// A build with a part that cannot be read.
  static var buildDamaged: Self { .malformed("server-build-damaged") }
  /// A build that is made to harm whoever unpacks it.
  static var buildUnsafe: Self { .malformed("server-build-unsafe") }
  /// An archive, which no phone installs.
  static var buildNotInstallable: Self { .malformed("server-build-not-installable") }

  /// The code of a build that could not be read.
  init(_ code: AppPackageError.Code) {
    self =
      switch code {
      case .unknown: .buildUnknown
      case .damaged: .buildDamaged
      case .unsafe: .buildUnsafe
      }
  }
}
