package import MPaaSSupport

extension LogError.Code {
  /// So many processes write to a folder that no number is left.
  package static var tooManyWriters: LogError.Code { LogError.Code("log-writers-too-many", exit: .tryAgain) }
  /// Nothing says where to write.
  package static var noFolder: LogError.Code { LogError.Code("log-no-folder", exit: .usage) }
  /// A type's name cannot be a folder's.
  package static var typeMalformed: LogError.Code { LogError.Code("log-type-malformed", exit: .usage) }
  /// A field is not `name=value`.
  package static var fieldMalformed: LogError.Code { LogError.Code("log-field-malformed", exit: .usage) }
}
