import MPaaSSupport

extension CodedError<ServerDomain>.Code {
  static var flagsAppUnknown: Self { ServerError.Code("flags-app-unknown", exit: .inputMissing) }
  static var flagsEnvironmentUnknown: Self { ServerError.Code("flags-environment-unknown", exit: .inputMissing) }
  static var flagsEnvironmentExists: Self { ServerError.Code("flags-environment-exists", exit: .cannotCreate) }
  static var flagsEnvironmentsTooMany: Self { ServerError.Code("flags-environments-too-many", exit: .tryAgain) }
  static var flagsVersionUnknown: Self { ServerError.Code("flags-version-unknown", exit: .inputMissing) }
  /// Another change came first.
  static var flagsVersionConflict: Self { ServerError.Code("flags-version-conflict", exit: .tryAgain) }
  /// A change has to be proposed and approved.
  static var flagsApprovalsNeeded: Self { ServerError.Code("flags-approvals-needed", exit: .notPermitted) }
  static var flagsApprovalsMissing: Self { ServerError.Code("flags-approvals-missing", exit: .notPermitted) }
  /// The author of a proposal does not approve it.
  static var flagsApprovalOwn: Self { .refused("flags-approval-own") }
  /// A proposal would change nothing.
  static var flagsProposalEmpty: Self { ServerError.Code("flags-proposal-empty", exit: .negative) }
  static var flagsProposalUnknown: Self { ServerError.Code("flags-proposal-unknown", exit: .inputMissing) }
  static var flagsProposalClosed: Self { ServerError.Code("flags-proposal-closed", exit: .negative) }
  /// Something that a proposal changes has been changed since it was made.
  static var flagsProposalStale: Self { ServerError.Code("flags-proposal-stale", exit: .tryAgain) }
  static var flagsProposalsTooMany: Self { ServerError.Code("flags-proposals-too-many", exit: .tryAgain) }
}
