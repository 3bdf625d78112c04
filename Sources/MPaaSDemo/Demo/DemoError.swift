package import MPaaSSupport

/// The errors of the demo.
package enum DemoDomain {}
/// The reason why no demo can be made.
package typealias DemoError = CodedError<DemoDomain>

extension DemoError.Code {
  /// The folder has something in it.
  static var folderTaken: Self { Self("demo-folder-taken", exit: .cannotCreate) }
  /// The sample app is not installed.
  static var sampleMissing: Self { Self("demo-sample-missing", exit: .inputMissing) }
  /// A command that makes a piece of the demo failed.
  static var stepFailed: Self { Self("demo-step-failed", exit: .negative) }
}
