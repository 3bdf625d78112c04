package import MPaaSSupport

extension LogError.Code {
  /// So many processes write to a folder that no number is left.
  package static var tooManyWriters: LogError.Code { LogError.Code("log-writers-too-many", exit: .tryAgain) }
}
