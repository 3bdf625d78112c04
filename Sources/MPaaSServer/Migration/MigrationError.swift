import MPaaSSupport

extension CodedError<ServerDomain>.Code {
  /// Source and target are one database.
  static var migrationSame: Self { ServerError.Code("migration-same-database", exit: .usage) }
  /// The source has no tables of a console.
  static var migrationNoConsole: Self { ServerError.Code("migration-no-console", exit: .inputMissing) }
  /// The target has rows already.
  static var migrationTaken: Self { ServerError.Code("migration-target-taken", exit: .cannotCreate) }
  /// The target has a part of another console.
  static var migrationOther: Self { ServerError.Code("migration-other-console", exit: .cannotCreate) }
  /// Tables of the target are not as those of the source.
  static var migrationDiffers: Self { .malformed("migration-differs") }
  /// A signal ended it between two pages.
  static var migrationInterrupted: Self { ServerError.Code("migration-interrupted", exit: .interrupted) }
}
