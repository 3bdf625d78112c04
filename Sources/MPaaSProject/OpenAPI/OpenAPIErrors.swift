import MPaaSSupport

extension GenerationError.Code {
  /// A tag or an operation was asked for that the description does not have.
  static var apiOnlyUnknown: Self { malformed("api-only-unknown") }
  /// A note: no value was found that a schema takes.
  static var apiSampleMissing: Self { malformed("api-sample-missing") }
  /// An option that only one of the two kinds of descriptions has.
  static var apiOptionUnfit: Self { refused("api-option-unfit") }
}
