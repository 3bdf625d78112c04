import MPaaSSupport

extension NetworkError.Code {
  /// A time of an option that is none.
  package static var durationOption: Self { NetworkError.Code("net-duration-option", exit: .usage) }
}

extension NetworkError.Code {
  /// Logs without network records, or a measurement that was ended before it began.
  package static var recordEmpty: Self { NetworkError.Code("net-record-empty", exit: .inputMissing) }
}
